import { startGateway, type Gateway, type GatewayOptions } from '@parley/gateway'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'

/** Starts a gateway on a free port of loopback; its lists wait long enough for a busy machine. */
export function startTestGateway(
  options: Partial<GatewayOptions> & Pick<GatewayOptions, 'servers'>,
): Promise<Gateway> {
  return startGateway({ port: 0, onError: () => undefined, firstListMs: 60_000, ...options })
}

/** A client of the gateway that prints nothing. */
export function open({ url }: Gateway, options: ConnectOptions = {}): Promise<Client> {
  if (url === undefined) throw new TypeError('a gateway over stdio has no address')
  return connect(url, {
    cache: false,
    reconnect: false,
    onError: () => undefined,
    onDeprecated: () => undefined,
    ...options,
  })
}

/** Serves a definition over HTTP on a free port of loopback. */
export function serveTest(server: Server): Promise<HttpService> {
  return serveHttp(server, {
    port: 0,
    host: '127.0.0.1',
    ownsProcess: false,
    onError: () => undefined,
  })
}
