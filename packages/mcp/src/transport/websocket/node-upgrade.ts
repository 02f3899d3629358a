import type { IncomingMessage } from 'node:http'

import type { WebSocketServer } from 'ws'

import type { UpgradeRequest } from './check-upgrade.ts'
import { subprotocol } from './socket-like.ts'

/** What turns an upgrade request into a socket: the server of `ws`, without one of its own. */
export async function loadUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { loadWs } = await import('#ws')
  const ws = await loadWs()
  return new ws.WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: (offered) => offered.has(subprotocol) && subprotocol,
  })
}

/** The request as the checks want it. */
export function readRequest({ url = '/', headers }: IncomingMessage): UpgradeRequest {
  return {
    target: url,
    header(name: string): string | undefined {
      const value = headers[name.toLowerCase()]
      return Array.isArray(value) ? value.join(', ') : value
    },
  }
}

/** Without the query. Not by `URL`, which throws at some targets. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}
