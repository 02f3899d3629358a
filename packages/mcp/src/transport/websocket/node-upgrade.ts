import type { IncomingMessage } from 'node:http'

import type { WebSocketServer } from 'ws'

import { credentialsOf } from '../http/runtime/node-exchange.ts'
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
export function readRequest(request: IncomingMessage): UpgradeRequest {
  const { url = '/', headers, socket } = request
  return {
    target: url,
    header(name: string): string | undefined {
      const lower = name.toLowerCase()
      const value = lower === 'authorization' ? credentialsOf(request) : headers[lower]
      return Array.isArray(value) ? value.join(', ') : value
    },
    remoteAddress: socket.remoteAddress,
  }
}
