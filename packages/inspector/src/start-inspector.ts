import { join } from 'node:path'

import { openBrowser } from '@parley/auth/node'
import { startAppSandbox } from '@parley/foundation/app-sandbox'
import { createChannels } from '@parley/foundation/channel'
import { startListener } from '@parley/foundation/listener'

import type { Inspector, InspectorOptions } from './options.ts'
import { programPage } from './own-files.ts'
import type { ChannelProtocol, Events } from './protocol/index.ts'
import { toProblem } from './service/problem.ts'
import { createService } from './service/service.ts'
import { defaultStateDirectory } from './service/state/state-file.ts'

/** The port the inspector has unless it is taken. */
const usualPort = 6274
const protocol: ChannelProtocol = 'parley.inspector.1'

/** Starts the service behind the page, and the page. */
export async function startInspector(options: InspectorOptions = {}): Promise<Inspector> {
  const {
    port,
    noOpen = false,
    stateDirectory = defaultStateDirectory(),
    pageFolder = programPage,
  } = options
  const { host, allowRemote, allowedHosts, tls } = options
  let pagePort = 0
  const sandbox = await startAppSandbox({
    host,
    allowRemote,
    allowedHosts,
    tls,
    port: options.sandboxPort,
    pagePort: () => pagePort,
  })
  // Nobody asks before the listener is there, and then so is the service.
  const channels = createChannels<Events>({
    protocol,
    handle: (method, params) => service.handle(method, params),
    toProblem,
  })
  const service = await createService(
    { ...options, stateDirectory, sandboxPort: sandbox.port },
    (event, data) => {
      channels.broadcast({ event, data } as Parameters<typeof channels.broadcast>[0]) // the pair fits by the type of emit
    },
  ).catch(async (error: unknown) => {
    await sandbox.close()
    throw error
  })
  try {
    const listener = await startListener({
      host,
      port: port ?? usualPort,
      portTries: port === undefined ? 50 : 0,
      allowRemote,
      allowedHosts,
      basePath: options.basePath,
      tls,
      tokenFile: (usedPort) => join(stateDirectory, `listener-${usedPort}.json`),
      app: {
        name: 'inspector',
        folder: pageFolder,
        framePort: sandbox.port,
        sockets: { '/api/channel': channels.upgrade },
      },
    })
    pagePort = listener.port
    const url = listener.createEntryUrl()
    if (!noOpen) await openBrowser(url).catch(() => undefined) // whoever started us shows the link

    const close = async (): Promise<void> => {
      channels.close()
      await listener.close()
      await sandbox.close()
      await service[Symbol.asyncDispose]()
    }
    return {
      url: url.href,
      port: listener.port,
      tokenFile: listener.tokenFile ?? '',
      createUrl: () => listener.createEntryUrl().href,
      openPage: () => openBrowser(listener.createEntryUrl()),
      async restart(name) {
        await service.handle('servers/restart', { name })
      },
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    channels.close()
    await sandbox.close()
    await service[Symbol.asyncDispose]()
    throw error
  }
}
