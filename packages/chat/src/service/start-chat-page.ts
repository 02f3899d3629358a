import { join } from 'node:path'

import { openBrowser } from '@parley/auth/node'
import { startAppSandbox } from '@parley/foundation/app-sandbox'
import { createChannels } from '@parley/foundation/channel'
import { startListener } from '@parley/foundation/listener'

import type { OpenedChat } from '../core/open-chat.ts'
import type { ChatSetup } from '../core/setup.ts'
import { programPage } from '../own-files.ts'
import type { ChannelProtocol, Events } from '../protocol/index.ts'
import { toProblem } from './problem.ts'
import { createChatService } from './service.ts'

/** Where the page is served, and to whom. */
export interface ChatPageOptions {
  /** Offers to choose servers, folders and a model. @defaultValue nothing can be added in the page */
  readonly setup?: ChatSetup | undefined
  /** @defaultValue 6280, or one of the next when that is taken */
  readonly port?: number | undefined
  /** Open no browser. @defaultValue false */
  readonly noOpen?: boolean | undefined
  /** The version that the page shows. */
  readonly version: string
  /** The folder it was started in. */
  readonly folder: string
  /** What servers are told of at first. */
  readonly roots?: readonly string[] | undefined
  /** Where the address and token for programs are written. */
  readonly stateDirectory: string
  /** The built page. @defaultValue beside this package's code */
  readonly pageFolder?: string | undefined
}

/** A page that is being served. */
export interface ChatPage extends AsyncDisposable {
  /** Lets one browser in, once: the secret is in its fragment. */
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  /** Where programs find the address and their token; only our user can read it. */
  readonly tokenFile: string
  /** Another link, for another browser. */
  createUrl(): string
  /** Opens a browser with another link; rejects when that does not work. */
  openPage(): Promise<void>
  /** Ends every connection; the chat goes on. Disposing is the same. */
  close(): Promise<void>
}

const usualPort = 6280
const protocol: ChannelProtocol = 'parley.chat.1'

/** Serves the page of a chat. */
export async function startChatPage(chat: OpenedChat, options: ChatPageOptions): Promise<ChatPage> {
  const { port, noOpen = false, setup, version, folder, roots = [], stateDirectory } = options
  const { pageFolder = programPage } = options
  let pagePort = 0
  const sandbox = await startAppSandbox({ pagePort: () => pagePort })
  const channels = createChannels<Events>({
    protocol,
    handle: (method, params) => service.handle(method, params),
    toProblem,
  })
  const service = createChatService({
    chat,
    setup,
    version,
    folder,
    roots,
    sandboxPort: sandbox.port,
    emit: (event, data) =>
      channels.broadcast({ event, data } as Parameters<typeof channels.broadcast>[0]), // the pair fits by the type of emit
  })
  try {
    const listener = await startListener({
      port: port ?? usualPort,
      portTries: port === undefined ? 50 : 0,
      tokenFile: (usedPort) => join(stateDirectory, `listener-${usedPort}.json`),
      app: {
        name: 'chat',
        folder: pageFolder,
        framePort: sandbox.port,
        sockets: { '/api/channel': channels.upgrade },
        routes: { 'GET /api/metrics': () => ({ json: service.metrics() }) },
      },
    })
    pagePort = listener.port
    const url = listener.createEntryUrl()
    if (!noOpen) await openBrowser(url).catch(() => undefined) // whoever started us shows the link

    const close = async (): Promise<void> => {
      service[Symbol.dispose]()
      channels.close()
      await listener.close()
      await sandbox.close()
    }
    return {
      url: url.href,
      port: listener.port,
      tokenFile: listener.tokenFile ?? '',
      createUrl: () => listener.createEntryUrl().href,
      openPage: () => openBrowser(listener.createEntryUrl()),
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    service[Symbol.dispose]()
    channels.close()
    await sandbox.close()
    throw error
  }
}
