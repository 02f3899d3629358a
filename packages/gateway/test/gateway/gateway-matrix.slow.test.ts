import { testMatrix } from '../matrix-cells.ts'
import { startTestGateway } from './running.ts'

/** One server, called as it calls itself. */
testMatrix('gateway', 'gateway-transports', async ({ from, to, protocolVersion, stdio }) => {
  const gateway = await startTestGateway({
    servers: {
      one:
        'url' in from
          ? { url: from.url, type: from.type, protocolVersion }
          : { ...from, protocolVersion },
    },
    naming: 'manual',
    to: to === 'stdio' ? 'stdio' : 'http',
    alsoSse: to === 'sse',
    alsoWebSocket: to === 'ws',
    stdio,
  })
  const { url } = gateway
  const address = url && new URL(to === 'sse' ? `${url.pathname}/sse` : url.pathname, url)
  if (address && to === 'ws') address.protocol = 'ws:'
  return { url: address, close: (options) => gateway.close(options) }
})
