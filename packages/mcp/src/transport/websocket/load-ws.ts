import type { WebSocket, WebSocketServer } from 'ws'

import { McpError } from '../../rpc/errors/mcp-error.ts'

/** The part of `ws` that we use. */
export interface Ws {
  readonly WebSocket: typeof WebSocket
  readonly WebSocketServer: typeof WebSocketServer
}

/** The `ws` package, on first use: who has no WebSockets does not need it. */
export async function loadWs(): Promise<Ws> {
  try {
    return await import('ws')
  } catch (cause) {
    throw new McpError('unsupported_runtime', 'WebSockets on Node need the package ws', {
      details: { needs: 'ws' },
      hint: 'npm install ws',
      cause,
    })
  }
}
