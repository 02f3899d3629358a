/**
 * Requests of revision 2026-07-28 for a server that was written for older ones.
 *
 * Parley's proxy stands in front of the same server object: it opens a connection of its own to it, translates, and parks calls that wait
 * for an answer of their user. Loaded with the first such request. The transport decides what is one, and passes on what the server sends.
 *
 * Each access token has a proxy of its own, so that a call never runs with the identity of another one.
 */

import { type McpHandler, createMcpHandler } from '@parley/mcp/http'
import { type Proxy, createProxy } from '@parley/mcp/proxy'

import type { AuthInfo } from '../server/auth/types.ts'
import type { HttpExchange } from '../server/http-exchange.ts'
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '../types.ts'

/** Receives what the proxy sends to the server. */
type Receive = (message: JSONRPCMessage, extra: MessageExtraInfo) => void

/** The proxies of one transport; the least recently used one goes first. */
const maxProxies = 100

interface Caller {
  readonly handler: McpHandler
  readonly proxy: Proxy
  extra: MessageExtraInfo
}

/** One connection of a proxy to the server. Ids get its prefix, so that connections do not mix them up. */
class Link {
  readonly prefix: string
  private readonly waiting: object[] = []
  private wake: (() => void) | undefined
  private isClosed = false

  constructor(prefix: string) {
    this.prefix = prefix
  }

  deliver(message: object): void {
    this.waiting.push(message)
    this.wake?.()
  }

  close(): void {
    this.isClosed = true
    this.wake?.()
  }

  async *messages(): AsyncGenerator<object, void, undefined> {
    while (true) {
      const message = this.waiting.shift()
      if (message) yield message
      else if (this.isClosed) return
      else await new Promise<void>((resolve) => (this.wake = resolve))
    }
  }
}

/** The side of a transport that speaks the newest revision. */
export class ModernSide {
  private readonly callers = new Map<string, Caller>()
  private readonly links = new Set<Link>()
  private readonly receive: Receive
  private opened = 0

  constructor(receive: Receive) {
    this.receive = receive
  }

  /** Answers a request whose body was read. */
  async handle(exchange: HttpExchange, parsedBody: unknown, authInfo?: AuthInfo): Promise<void> {
    const caller = this.callerOf(authInfo)
    caller.extra = { authInfo, requestInfo: exchange.requestInfo }
    const aborted = new AbortController()
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: forwardedHeaders(exchange),
      body: '{}',
      signal: aborted.signal,
    })
    const response = await caller.handler.fetch(request, { parsedBody })
    await sendResponse(exchange, response, () => aborted.abort())
  }

  /** Takes what the server sends if it belongs to a connection of a proxy; returns whether it did. */
  take(message: JSONRPCMessage, relatedRequestId: RequestId | undefined): boolean {
    const isResponse = !('method' in message)
    const id = isResponse ? message.id : relatedRequestId
    if (id === undefined) {
      // A message that belongs to no request goes to all.
      for (const link of this.links) link.deliver(message)
      return false
    }
    const link = [...this.links].find(({ prefix }) => String(id).startsWith(prefix))
    if (!link) return false
    link.deliver(isResponse ? { ...message, id: originalId(String(id), link.prefix) } : message)
    return true
  }

  async close(): Promise<void> {
    for (const link of this.links) link.close()
    this.links.clear()
    const callers = [...this.callers.values()]
    this.callers.clear()
    await Promise.all(callers.map(({ proxy }) => proxy.close()))
  }

  private callerOf(authInfo: AuthInfo | undefined): Caller {
    const key = authInfo === undefined ? '' : `${authInfo.clientId} ${authInfo.token}`
    const caller = this.callers.get(key) ?? this.createCaller()
    this.callers.delete(key)
    this.callers.set(key, caller)
    if (this.callers.size > maxProxies) this.forgetOldest()
    return caller
  }

  private forgetOldest(): void {
    for (const [key, { proxy }] of this.callers) {
      this.callers.delete(key)
      void proxy.close()
      return
    }
  }

  private createCaller(): Caller {
    const caller: { extra: MessageExtraInfo } = { extra: {} }
    const proxy = createProxy(() => this.openLink(caller), { mode: 'shared' })
    return Object.assign(caller, { proxy, handler: createMcpHandler(proxy) })
  }

  private openLink(caller: { readonly extra: MessageExtraInfo }) {
    const link = new Link(`modern-${this.opened++}:`)
    this.links.add(link)
    return {
      peer: 'this process',
      messages: link.messages(),
      send: ({ value }: { readonly value: unknown }) => {
        const message = withPrefix(value as JSONRPCMessage, link.prefix)
        this.receive(message, caller.extra)
      },
      [Symbol.asyncDispose]: async () => {
        link.close()
        this.links.delete(link)
      },
    }
  }
}

/** The kind of an id has to come back as it was. */
function withPrefix(message: JSONRPCMessage, prefix: string): JSONRPCMessage {
  if (!('method' in message)) return message
  if ('id' in message) return { ...message, id: prefix + JSON.stringify(message.id) }
  const requestId = message.params?.['requestId']
  if (message.method !== 'notifications/cancelled' || requestId === undefined) return message
  return {
    ...message,
    params: { ...message.params, requestId: prefix + JSON.stringify(requestId) },
  }
}

function originalId(id: string, prefix: string): RequestId {
  return JSON.parse(id.slice(prefix.length)) as RequestId
}

/** Hosts and origins are checked by the program, as for its other requests. */
function forwardedHeaders({ requestInfo }: HttpExchange): Headers {
  const headers = new Headers()
  const left = new Set([
    'host',
    'origin',
    'content-length',
    'connection',
    'transfer-encoding',
    'expect',
    'authorization',
  ])
  for (const [name, value] of Object.entries(requestInfo.headers)) {
    if (value !== undefined && !left.has(name)) headers.set(name, String(value))
  }
  return headers
}

async function sendResponse(
  exchange: HttpExchange,
  response: Response,
  onClosed: () => void,
): Promise<void> {
  const headers = Object.fromEntries(response.headers.entries())
  const isStream = headers['content-type']?.startsWith('text/event-stream')
  if (!isStream || !response.body) {
    delete headers['content-length']
    exchange.reply(response.status, headers, (await response.text()) || null)
    return
  }
  const stream = exchange.openStream(headers, onClosed)
  const decoder = new TextDecoder()
  void (async () => {
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        if (!stream.write(decoder.decode(chunk, { stream: true }))) break
      }
    } catch {
      // The client has gone, and the body was cancelled.
    }
    stream.end()
  })()
}
