/**
 * HTTP+SSE of 2024-11-05 for a client: one stream brings everything and says first where to POST. Loaded only when a server turns
 * out to speak it, or is configured so; `streamable-channel.ts` is the channel of all newer servers.
 */

import { parseUrl } from '../../rpc/address/parse-url.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { waitAtMost } from '../../rpc/signals.ts'
import { timeLimits, type Channel, type ChannelContext } from './channel.ts'
import type { PendingCall } from './endpoint.ts'
import { readIncoming } from './incoming.ts'
import type { Outgoing } from './outgoing-request.ts'
import { asHttpError, notMcp } from './request/answer-failures.ts'
import { lostRequest, sessionEnded } from './request/failures.ts'
import { readBody } from './request/read-body.ts'
import { readRejection, type Rejection } from './request/refusal.ts'
import { isEventStream } from './streams/answer-stream.ts'
import { readEvents, type ServerEvent } from './streams/read-events.ts'

export interface SseOptions {
  /** Why HTTP+SSE is tried; reported instead of the failure to find such a server. */
  readonly rejection?: McpError | undefined
}

/**
 * HTTP+SSE, as in 2024-11-05: one stream brings everything, and says first where to POST. The session is the stream:
 * nothing is resumed, and a new one begins with a new handshake.
 */
export function createSseChannel(parts: ChannelContext, { rejection }: SseOptions = {}): Channel {
  const { endpoint, delivery, clock, limits, peer, onError } = parts
  const posts = new Set<PendingCall>()
  const notices = new Set<Promise<void>>()
  let waiting: Outgoing[] = []
  let target: URL | undefined
  let stream: PendingCall | undefined
  let isOver = false

  async function run(): Promise<void> {
    const timer = clock.setTimer(() => {
      if (target === undefined) end(rejection ?? noEndpoint(peer))
    }, timeLimits.endpointMs)
    try {
      await listen()
      throw new Error('the stream ended')
    } catch (error) {
      const isFound = target !== undefined || isMcpError(error, 'unauthorized')
      end(isFound ? lostRequest(error, peer) : (rejection ?? lostRequest(error, peer)))
    } finally {
      timer[Symbol.dispose]()
    }
  }

  async function listen(): Promise<void> {
    stream = endpoint.send({
      method: 'GET',
      url: parts.url,
      headers: { accept: 'text/event-stream' },
      headMs: timeLimits.headMs,
    })
    const answer = await stream.answer
    if (answer.status < 200 || answer.status > 299) {
      throw asHttpError(await readRejection(answer, stream, parts), answer.status, peer)
    }
    if (!isEventStream(answer)) {
      const limited = { peer, clock, maxBytes: 4096, stallMs: timeLimits.stallMs, isExcerpt: true }
      const body = await readBody(answer, stream, limited)
      throw notMcp(peer, answer.status, answer.header('content-type'), body)
    }
    const { url } = stream
    await readEvents(answer, stream, {
      peer,
      maxBytes: limits.messageBytes,
      onEvent: (event) => take(event, url),
      onRetry: () => undefined, // a new stream is a new session, opened by the client
    })
  }

  function take({ name, data }: ServerEvent, base: URL): Promise<void> | void {
    if (name === 'endpoint' && target === undefined) return open(data, base)
    if (name !== 'message' || data === '') return undefined
    return delivery.message(readIncoming(data, limits).message)
  }

  /** The address comes from the server; credentials go with what is sent to it, so it must be the server's own. */
  function open(address: string, base: URL): void {
    const own = parseUrl(address, base)
    if (own?.origin !== base.origin) {
      const why = `named ${JSON.stringify(address)} to send messages to, which is not its own origin`
      const details = { excerpt: address.slice(0, 200) }
      return end(new McpError('invalid_message', `${peer} ${why}`, { details, peer }))
    }
    target = own
    const ready = waiting
    waiting = []
    for (const outgoing of ready) void start(outgoing, target)
  }

  /** Resolves for `initialized` when the server has it: before that it announces no changes to us. */
  function start(outgoing: Outgoing, url: URL): Promise<void> | void {
    const received = post(outgoing, url)
    if (outgoing.request !== undefined) return undefined
    notices.add(received)
    void received.then(() => notices.delete(received))
    return outgoing.method === 'notifications/initialized' ? received : undefined
  }

  async function post(outgoing: Outgoing, url: URL): Promise<void> {
    const { body, watched } = outgoing
    const headers = { accept: '*/*', 'content-type': 'application/json' }
    const { headMs } = timeLimits
    const call = endpoint.send({ method: 'POST', url, headers, body, watched, headMs })
    posts.add(call)
    try {
      const answer = await call.answer
      if (answer.status >= 200 && answer.status <= 299) void answer.discard()
      else if (answer.status === 404) end(sessionEnded(peer, false))
      else {
        reject(outgoing, await readRejection(answer, call, parts))
      }
    } catch (error) {
      fail(outgoing, lostRequest(error, peer))
    } finally {
      posts.delete(call)
    }
  }

  function reject(outgoing: Outgoing, { kind, error }: Rejection): void {
    const { request: id } = outgoing
    if (kind === 'http' || id === undefined) return fail(outgoing, error)
    void delivery.message({ jsonrpc: '2.0', id, error })
  }

  function fail({ request, method }: Outgoing, error: unknown): void {
    if (isOver) return
    if (request !== undefined) return delivery.fail(request, error)
    onError(error, { severity: 'warning', operation: method ?? 'response', peer })
  }

  function end(error?: unknown): void {
    if (isOver) return
    isOver = true
    delivery.end(error)
    stream?.abort()
    for (const call of posts) call.abort()
  }

  return {
    kind: 'sse',
    send(outgoing) {
      if (stream === undefined) void run()
      if (target !== undefined) return start(outgoing, target)
      waiting.push(outgoing)
      return undefined
    },
    /** Notifications and answers on their way may still arrive. */
    async close() {
      if (isOver) return
      await waitAtMost(timeLimits.closeMs, Promise.all(notices), { clock })
      end()
    },
  }
}

function noEndpoint(peer: string): McpError {
  return new McpError(
    'not_mcp',
    `${peer} opened a stream without an endpoint event, so it is not MCP`,
    {
      details: { status: 200, contentType: 'text/event-stream', excerpt: '' },
      peer,
    },
  )
}
