/**
 * Reads the response to one POST: JSON, or an event stream, which is resumed where it breaks off if its events have ids. Resolves
 * when the answer of the request has come and rejects when it cannot come any more.
 *
 * Messages on the way go to the receiver of the transport. Resuming waits together with all other requests while a server is away
 * (`reconnect-gate.ts`); a request without a deadline has a watch on silence (`silence.ts`). `get-stream.ts` reads the stream that belongs
 * to no request.
 */

import { createBackoff } from '../../../rpc/backoff.ts'
import { isMcpError } from '../../../rpc/errors/mcp-error.ts'
import type { RequestId } from '../../../rpc/message.ts'
import { mediaTypeOf } from '../../http/admission/media-type.ts'
import { timeLimits, type ChannelContext } from '../channel.ts'
import type { PendingCall } from '../endpoint.ts'
import { readIncoming, type Incoming } from '../incoming.ts'
import type { OutgoingRequest } from '../outgoing-request.ts'
import type { ReconnectGate } from '../reconnect-gate.ts'
import { notJson, otherJson } from '../request/answer-failures.ts'
import { RequestFailure, type HttpResponse } from '../request/http-request.ts'
import { readBody } from '../request/read-body.ts'
import { retryAfterMs } from '../request/refusal.ts'
import { readEvents } from './read-events.ts'
import type { watchSilence } from './silence.ts'

export interface ResponseStreamOptions {
  readonly parts: ChannelContext
  readonly outgoingRequest: OutgoingRequest
  readonly request: RequestId
  readonly onMessage: (incoming: Incoming) => Promise<void> | void
  /** Without it a stream that breaks is lost, whatever ids its events have. */
  readonly resuming?: Resuming | undefined
  /** For a request without a deadline: notices a dead connection. */
  readonly watch?: typeof watchSilence | undefined
}

/** How a stream is taken up again. */
export interface Resuming {
  open(lastEventId: string, onSent: () => void): PendingCall
  /** Waits for a server that is away together with all else that does. */
  readonly reach: ReconnectGate['reach']
  /** Throws if the answer says that the session is no more. */
  check(answer: HttpResponse): void
}

/** A stream and how far it was read. */
export interface Position {
  lastEventId: string | undefined
  retryMs: number | undefined
  /** Since it was last opened. */
  hasEvents: boolean
}

/** Reads the response to a request, JSON or a stream. Rejects when the answer can no longer come. */
export function acceptResponse(
  first: { readonly call: PendingCall; readonly answer: HttpResponse },
  options: ResponseStreamOptions,
): Promise<void> {
  return isEventStream(first.answer)
    ? readStream(first, options)
    : takeBody(first.call, first.answer, options)
}

async function takeBody(
  call: PendingCall,
  answer: HttpResponse,
  { parts: { peer, clock, limits }, outgoingRequest, request, onMessage }: ResponseStreamOptions,
): Promise<void> {
  const contentType = answer.header('content-type')
  const isJson = contentType === json || mediaTypeOf(contentType) === json
  const text = await readBody(answer, call, {
    peer,
    clock,
    maxBytes: isJson ? limits.messageBytes : 4096,
    stallMs: timeLimits.stallMs,
    isExcerpt: !isJson,
  })
  if (!isJson) {
    throw notJson(peer, answer.status, contentType, text)
  }
  const incoming = readIncoming(text, limits)
  outgoingRequest.outgoing.watched?.received(text)
  void onMessage(incoming)
  if (!incoming.answers.includes(request)) throw otherJson(peer)
}

const json = 'application/json'

/**
 * Reads the stream that answers one request, and takes it up where it broke off if that is possible and its events have
 * ids. Resolves when the answer has come; rejects when it cannot come any more.
 */
async function readStream(
  first: { readonly call: PendingCall; readonly answer: HttpResponse },
  options: ResponseStreamOptions,
): Promise<void> {
  const { parts, outgoingRequest, request, onMessage, resuming } = options
  const { clock, limits } = parts
  const position: Position = { lastEventId: undefined, retryMs: undefined, hasEvents: false }
  let isCompleted = false
  let { call, answer } = first
  let resume: Resume | undefined

  for (;;) {
    const broken = await read()
    if (isCompleted || outgoingRequest.isAbandoned) return
    if (isMcpError(broken, 'limit_exceeded')) throw broken
    if (!resuming || position.lastEventId === undefined) throw broken ?? endedEarly()
    resume ??= createResume(parts, outgoingRequest, resuming)
    ;({ call, answer } = await resume(position, position.lastEventId))
  }

  /** Why it broke off, undefined for a clean end. */
  async function read(): Promise<unknown> {
    let linger: Disposable | undefined
    position.hasEvents = false
    outgoingRequest.stop = call.abort
    try {
      await readEvents(answer, call, {
        peer: parts.peer,
        maxBytes: limits.messageBytes,
        onEvent({ name, data, id }) {
          position.hasEvents = true
          position.lastEventId = id ?? position.lastEventId
          if (name !== 'message' || data === '') return undefined // an id to begin with
          const incoming = readIncoming(data, limits)
          if (incoming.answers.includes(request)) {
            isCompleted = true
            outgoingRequest.outgoing.watched?.received(data)
            linger = clock.setTimer(call.abort, timeLimits.lingerMs)
          }
          return onMessage(incoming)
        },
        onRetry: (ms) => (position.retryMs = ms),
        silence: options.watch?.(clock, call.abort),
      })
      return undefined
    } catch (error) {
      return error
    } finally {
      linger?.[Symbol.dispose]()
      outgoingRequest.stop = undefined
    }
  }
}

/** Returns true for a successful response that is an event stream. */
export function isEventStream(answer: HttpResponse): boolean {
  return answer.status === 200 && mediaTypeOf(answer.header('content-type')) === 'text/event-stream'
}

/** Nothing more comes, and the answer was not in it. */
export function endedEarly(): RequestFailure {
  return new RequestFailure(new Error('the stream ended without it'), { sent: true })
}

/** Opens the stream of a call again after the last event; rejects when it cannot be resumed. */
type Resume = (
  position: Position,
  lastEventId: string,
) => Promise<{ readonly call: PendingCall; readonly answer: HttpResponse }>

/** For one call, however often its stream breaks: so it comes back no more often than a server can bear. */
function createResume(
  { clock, reconnect }: ChannelContext,
  outgoingRequest: OutgoingRequest,
  { open, check, reach }: Resuming,
): Resume {
  const { minDelayMs = 500, maxDelayMs = 30_000 } = reconnect ?? {}
  const backoff = createBackoff({ clock, minDelayMs, maxDelayMs })

  /** Undefined if the connection broke again. */
  async function ask(lastEventId: string) {
    try {
      return await reach(outgoingRequest, async (onSent) => {
        const call = open(lastEventId, onSent)
        outgoingRequest.stop = call.abort
        return { call, answer: await call.answer }
      })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.sent) return undefined
      throw new RequestFailure(error, { sent: true }) // the call itself was
    }
  }

  /** Tries for as long as the caller waits: the deadline of the call ends it. */
  return async ({ hasEvents, retryMs }, lastEventId) => {
    if (hasEvents) backoff.progressed()
    for (let preferredMs = retryMs; ;) {
      await outgoingRequest.sleep(backoff.next(preferredMs))
      if (outgoingRequest.isAbandoned) throw endedEarly()
      const reached = await ask(lastEventId)
      if (reached === undefined) continue
      const { answer } = reached
      check(answer)
      if (isEventStream(answer)) return reached
      void answer.discard()
      if (answer.status < 500 && answer.status !== 429) throw notResumed(answer.status)
      preferredMs = retryAfterMs(answer) ?? retryMs
    }
  }
}

function notResumed(status: number): RequestFailure {
  const why = `the stream broke off, and the server answered ${status} to taking it up again`
  return new RequestFailure(new Error(why), { sent: true })
}
