import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { createChannels } from '@parley/foundation/channel'
import { startListener } from '@parley/foundation/listener'

import type { PageSettings } from '../config/page-settings.ts'
import { programPage } from '../own-files.ts'
import { createPageService, type PageServiceOptions } from './page-service.ts'
import { toProblem } from './problem.ts'
import type { Events, PageProtocol } from './protocol.ts'

/** The options of a gateway's page. */
export interface GatewayPageOptions
  extends
    PageSettings,
    Pick<PageServiceOptions, 'gateway' | 'config' | 'load' | 'reload' | 'onOperation'> {
  /** Where the page's files are. @defaultValue those of this package */
  readonly pageFolder?: string | undefined
}

/** The page of a gateway, open for whoever has a link. */
export interface GatewayPage extends AsyncDisposable {
  /** Where it is, without a secret. */
  readonly url: URL
  /** The port that it listens on. */
  readonly port: number
  /** The address for one browser, once: with a fresh secret in its fragment. */
  createEntryUrl(): URL
  /** Ends every connection to the page; the gateway goes on. */
  close(): Promise<void>
}

const protocol: PageProtocol = 'parley.gateway.1'
const defaultRecordBytes = 16 * 1024 * 1024

/**
 * Opens the page of a gateway on a port of its own, on loopback unless told otherwise. Whoever has a link from
 * `createEntryUrl` can look at everything and change what the page can change; each change is written to the audit.
 */
export async function startGatewayPage(options: GatewayPageOptions): Promise<GatewayPage> {
  const { pageFolder = programPage } = options
  const channels = createChannels<Events>({
    protocol,
    handle: (method, params) => service.handle(method, params),
    toProblem,
  })
  const service = createPageService(
    {
      ...options,
      isRecording: options.isRecording ?? false,
      recordBytes: options.recordBytes ?? defaultRecordBytes,
    },
    (event, data) => {
      channels.broadcast({ event, data } as Parameters<typeof channels.broadcast>[0]) // the pair fits by the type of emit
    },
  )
  let pages = 0

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    pages += 1
    service.setPages(pages)
    socket.once('close', () => {
      pages -= 1
      service.setPages(pages)
    })
    channels.upgrade(request, socket, head)
  }

  try {
    const listener = await startListener({
      host: options.host,
      port: options.port,
      allowRemote: options.allowRemote,
      allowedHosts: options.allowedHosts,
      app: { name: 'gateway', folder: pageFolder, sockets: { '/api/channel': upgrade } },
    })
    const close = async (): Promise<void> => {
      channels.close()
      await listener.close()
      service[Symbol.dispose]()
    }
    return {
      url: listener.url,
      port: listener.port,
      createEntryUrl: listener.createEntryUrl,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    channels.close()
    service[Symbol.dispose]()
    throw error
  }
}
