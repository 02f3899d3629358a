/**
 * HTTP+SSE of 2024-11-05: a stream that is the session, and POSTs to a second path.
 *
 * Each stream is a `Transport` that `serve-connection.ts` serves; POSTs put messages into its inbox. In a cluster, a POST that
 * arrives at another process is forwarded (`cluster/sse-posts.ts`). Such streams cannot be resumed. Newer revisions use Streamable
 * HTTP, in the rest of this folder.
 */
import { principalOf, type AuthInfo } from '../../rpc/auth-info.ts'
import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import { MemoryShare } from '../../rpc/memory-budget.ts'
import {
  type MessageSink,
  type RawMessage,
  type Transport,
  iterateMessages,
} from '../../rpc/transport.ts'
import type { Authorize, RequestAuth } from '../../server/calls/caller.ts'
import { type DrainReport, drainAll } from '../../server/calls/calls-in-flight.ts'
import {
  serveDefinition,
  type ConnectionService,
  type ServeOptions,
} from '../../server/sessions/serve-connection.ts'
import { createInbox, type Inbox } from '../memory.ts'
import {
  createConcurrencyLimit,
  draining,
  overLimit,
  openLimits,
  tooManySessions,
} from './admission/capacity.ts'
import { publicUrl } from './admission/public-options.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import type { PostOutcome } from './cluster/messages.ts'
import { sessionNotFound } from './cluster/records.ts'
import type { SsePost } from './cluster/sse-posts.ts'
import type { EndpointService } from './endpoint-service.ts'
import { requireJsonContent } from './request-headers.ts'
import { pathOf, type HttpExchange, type StreamOutput } from './runtime/exchange.ts'
import { encodeEvent, keepAliveComment, streamHeaders } from './streams/sse.ts'
import { createKeepAlive, watchSlowReader } from './streams/stream-reader.ts'

/** HTTP+SSE as 2024-11-05 has it: a stream that is the session, and a second path for what the client says. */
export interface Sse {
  /** Connections now. */
  readonly size: number
  /** Their calls that are being worked on. */
  readonly inFlight: number
  /** Undefined for what is not of this transport: either path may also be the endpoint's own, which it must not hide. */
  handlerOf(
    exchange: HttpExchange,
  ): ((request: AdmittedRequest) => Promise<void> | void) | undefined
  drain(deadlineMs: number): Promise<DrainReport>
}

interface SseConnection {
  readonly principal: string
  readonly inbox: Inbox
  /** Memory of messages that wait to be received. */
  readonly memory: MemoryShare
  readonly running: ConnectionService
  /** The sender of the message that is being received. */
  sender: RequestAuth
}

export function createSse(
  service: EndpointService,
  options: Pick<ServeOptions, 'revisions' | 'onMessage'> & {
    readonly url?: string | URL | undefined
    readonly legacySse?: boolean | string | undefined
    /** The path of the endpoint, if it is known. */
    readonly path?: string | undefined
    /** Returns what the guard allows a verified caller. */
    readonly authorizeFor: (auth: AuthInfo | undefined) => Authorize | undefined
  },
): Sse {
  const { definition, settings, limits, clock, onError, authorizations } = service
  const { revisions, onMessage, authorizeFor } = options
  const connections = new Map<string, SseConnection>()
  const callers = createConcurrencyLimit(openLimits(settings.sessionLimits, 'sessions'))
  const posts = service.cluster.createSsePosts(takeFromOther)

  async function open(request: AdmittedRequest): Promise<void> {
    const { exchange, caller, cors } = request
    const { auth, quotaKey } = caller
    const id = await posts.nameFor(caller.principal)
    if (service.isDraining) throw draining()
    const { total } = settings.sessionLimits
    if (connections.size >= total) throw tooManySessions(503, total)
    callers.enter(quotaKey, 1)
    const output = exchange.openStream({ ...cors, ...streamHeaders })
    const inbox = createInbox({ capacity: 64 })
    const memory = new MemoryShare(service.memory, quotaKey)
    const keepAlive = createKeepAlive(clock, settings.keepAliveMs, () =>
      output.write(keepAliveComment),
    )
    output.write(encodeEvent(`${messagePath(exchange)}?sessionId=${id}`, { event: 'endpoint' }))
    const transport = createSseTransport(output, inbox, {
      isTooSlow: watchSlowReader(output, limits.bufferedBytes, clock),
      onSent: keepAlive.touch,
      onAccepted: (message) => memory.release(queuedBytes(message)),
    })
    const sender = senderOf(caller)
    const running = serveDefinition(definition, transport, {
      ...sender,
      currentSender: () => connections.get(id)?.sender ?? sender,
      http: {
        url: exchange.originalTarget ?? exchange.target,
        header: (name) => exchange.header(name.toLowerCase()),
      },
      clock,
      limits,
      bytes: { quotaKey: service.memory, caller: quotaKey },
      revisions,
      onError,
      onMessage,
    })
    connections.set(id, { principal: caller.principal, inbox, memory, running, sender })
    exchange.onClosed(() => inbox.end())
    let watched = auth
    let authorization = authorizations.watch(auth, onEnded)
    void running.closed.then(() => {
      connections.delete(id)
      callers.leave(quotaKey, 1)
      memory.close()
      keepAlive[Symbol.dispose]()
      authorization[Symbol.dispose]()
    })

    /** Such a stream cannot be resumed, so a newer credential that the client sends counts for the stream too. */
    function onEnded(): void {
      authorization[Symbol.dispose]()
      const newest = connections.get(id)?.sender.auth
      if (newest !== undefined && newest !== watched && newest.expiresAt > Date.now()) {
        watched = newest
        authorization = authorizations.watch(newest, onEnded)
      } else void running.drain()
    }
  }

  /** Receives a message; its response goes out on the stream. */
  async function take(request: AdmittedRequest): Promise<void> {
    try {
      await takeBody(request)
    } finally {
      request.memory.close()
    }
  }

  async function takeBody({ exchange, caller, cors, memory }: AdmittedRequest): Promise<void> {
    const id = sessionIdOf(exchange) ?? ''
    const isRemote = posts.canForward && !connections.has(id)
    const connection = connections.get(id)
    if (!isRemote && connection?.principal !== caller.principal) throw sessionNotFound()
    requireJsonContent(exchange)
    const body = await exchange.readBody(service.bodyLimits, memory)
    if (isRemote) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      await posts.forward({ id, text, auth: caller.auth }, caller)
    } else if (connection !== undefined) {
      await put(connection, body, caller)
    }
    exchange.respond(202, cors)
  }

  /** Resolves when the connection has room for more. */
  async function put(connection: SseConnection, body: RawMessage, sender: Sender): Promise<void> {
    const rejection = connection.memory.reserve(queuedBytes(body))
    if (rejection) throw overLimit(rejection)
    connection.sender = senderOf(sender)
    await connection.inbox.put(body)
  }

  /** Receives a message that was posted at another process for a stream of this one. */
  async function takeFromOther({ id, text, auth }: SsePost): Promise<PostOutcome> {
    const connection = connections.get(id)
    if (connection?.principal !== principalOf(auth)) return 'unknown'
    try {
      await put(connection, text, { auth, authorize: authorizeFor(auth) })
      return 'taken'
    } catch {
      return 'full'
    }
  }

  /** Absolute, because not every old client resolves a relative one. */
  function messagePath(exchange: HttpExchange): string {
    const path = pathOf(exchange)
    if (path === options.path) return path
    if (typeof options.legacySse === 'string') return options.legacySse.replace(/sse$/, 'message')
    const base = publicUrl(options)?.pathname
    if (base === undefined) return path.replace(/sse$/, 'message')
    return base.endsWith('/sse') ? base : `${base.replace(/\/$/, '')}/message`
  }

  return {
    get size() {
      return connections.size
    },
    get inFlight() {
      return [...connections.values()].reduce((sum, { running }) => sum + running.inFlight, 0)
    },
    handlerOf(exchange) {
      const isStream = pathOf(exchange).endsWith('/sse')
      if (!isStream && !pathOf(exchange).endsWith('/message')) return undefined
      if (exchange.method === 'POST') return sessionIdOf(exchange) === null ? undefined : take
      const isListening = exchange.header('mcp-session-id') !== undefined
      return isStream && exchange.method === 'GET' && !isListening ? open : undefined
    },
    drain: (deadlineMs) =>
      drainAll([...connections.values()].map(({ running }) => running.drain({ deadlineMs }))),
  }
}

/** While it waits to be received. */
function queuedBytes(message: RawMessage | RpcError): number {
  return 1_024 + (typeof message === 'string' ? 2 * message.length : 0)
}

/** In the URI that the stream named. */
function sessionIdOf({ target }: HttpExchange): string | null {
  return new URLSearchParams(target.split('?', 2)[1]).get('sessionId')
}

interface Sender {
  readonly auth?: AuthInfo | undefined
  readonly authorize?: Authorize | undefined
}

/** A later credential of the same principal may allow more, or less. */
function senderOf({ auth, authorize }: Sender): SseConnection['sender'] {
  return { ...(auth && { auth }), ...(authorize && { authorize }) }
}

function createSseTransport(
  output: StreamOutput,
  inbox: Inbox,
  options: {
    readonly isTooSlow: () => boolean
    readonly onSent: () => void
    readonly onAccepted: (message: RawMessage | RpcError) => void
  },
): Transport {
  const { isTooSlow, onSent, onAccepted } = options

  function receive(sink: MessageSink): void {
    inbox.receive({
      message(message) {
        onAccepted(message)
        return sink.message(message)
      },
      end: (error) => sink.end(error),
    })
  }

  return {
    kind: 'sse',
    messages: iterateMessages(receive),
    receive,
    send({ text }) {
      if (isTooSlow()) {
        output.destroy() // there is nothing to resume from in this revision
        return inbox.end()
      }
      output.write(encodeEvent(text, { event: 'message' }))
      onSent()
      return output.drained
    },
    [Symbol.asyncDispose]() {
      inbox.discard()
      output.end()
      return Promise.resolve()
    },
  }
}
