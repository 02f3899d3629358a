import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Server } from '@parley/mcp/server'
import {
  acceptWebSockets,
  type AcceptWebSocketsOptions,
  type WebSocketService,
} from '@parley/mcp/websocket'
import { WebSocket, WebSocketServer } from 'ws'

/** Both ends of one real socket. */
export interface SocketPair {
  readonly near: WebSocket
  readonly far: WebSocket
}

export async function openSockets(
  options: { readonly maxPayload?: number } = {},
): Promise<SocketPair> {
  const listener = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options })
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const near = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
  const [[far]] = (await Promise.all([once(listener, 'connection'), once(near, 'open')])) as [
    [WebSocket],
    unknown,
  ]
  listener.close()
  return { near, far }
}

/** A server that accepts WebSockets, listening on a free port. */
export interface Listening extends AsyncDisposable {
  readonly http: HttpServer
  readonly service: WebSocketService
  readonly url: string
  readonly port: number
}

export async function listen(
  server: Server,
  options: AcceptWebSocketsOptions = {},
): Promise<Listening> {
  const http = createServer((_, response) => void response.writeHead(404).end())
  const service = acceptWebSockets(http, server, { onError: () => undefined, ...options })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    http,
    service,
    port,
    url: `ws://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      await service.drain({ deadlineMs: 0 })
      http.closeAllConnections()
      await new Promise<void>((resolve) => void http.close(() => resolve()))
    },
  }
}

/** Code and reason of the close a raw socket sees. */
export async function closeOf(socket: WebSocket): Promise<{ code: number; reason: string }> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return { code, reason: reason.toString() }
}
