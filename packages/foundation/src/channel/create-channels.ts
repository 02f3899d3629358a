import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { WebSocketServer, type WebSocket } from 'ws'

import type { ChannelEvent, ChannelMessage, Problem } from './messages.ts'

/** Options of a service's channel. */
export interface ChannelsOptions {
  /** The subprotocol that pages ask for, such as `parley.inspector.1`. */
  readonly protocol: string
  /** Answers a question. Nothing about it is checked yet. What it throws becomes a problem. */
  readonly handle: (method: unknown, params: unknown) => Promise<unknown>
  /** Converts an error of `handle` for the page. */
  readonly toProblem: (error: unknown) => Problem
}

/** The WebSockets of all pages. */
export interface Channels<Events> {
  /** Takes a connection that the guard has let through. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells every page. */
  broadcast(message: ChannelEvent<Events>): void
  /** Cuts off every page. */
  close(): void
}

const maxMessageBytes = 4 * 1024 * 1024
const maxPages = 16
/** A page that reads no more is cut off before it fills our memory. */
const maxBufferedBytes = 256 * 1024 * 1024

/** The service's side of the channel, for `sockets` of a listener: answers the questions of pages, and tells events. */
export function createChannels<Events>(options: ChannelsOptions): Channels<Events> {
  const { protocol, handle, toProblem } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  })

  function send(socket: WebSocket, message: ChannelMessage<Events>): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxBufferedBytes) return socket.terminate()
    socket.send(JSON.stringify(message))
  }

  async function answer(socket: WebSocket, text: string): Promise<void> {
    const message = readMessage(text)
    if (message === undefined) return socket.close(1007, 'not a message')
    const { id, method, params } = message
    try {
      send(socket, { id, result: (await handle(method, params)) ?? {} })
    } catch (error) {
      send(socket, { id, error: toProblem(error) })
    }
  }

  server.on('connection', (socket: WebSocket) => {
    if (server.clients.size > maxPages) return socket.close(1013, 'too many pages')
    socket.on('error', () => socket.terminate())
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return socket.close(1003, 'text only')
      void answer(socket, data.toString('utf8'))
    })
  })

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened))
    },
    broadcast(message) {
      for (const socket of server.clients) send(socket, message)
    },
    close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

function readMessage(
  text: string,
): { readonly id: number; readonly method: unknown; readonly params: unknown } | undefined {
  try {
    const {
      id,
      method,
      params = {},
    } = (JSON.parse(text) ?? {}) as { id?: unknown; method?: unknown; params?: unknown } // read, not trusted
    return Number.isSafeInteger(id) ? { id: id as number, method, params } : undefined // just checked
  } catch {
    return undefined
  }
}
