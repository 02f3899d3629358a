import { createBackoff } from '../../client/backoff.ts'
import { isMcpError } from '../../rpc/mcp-error.ts'
import type { RequestId } from '../../rpc/message.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { patience, type ChannelParts } from './channel.ts'
import type { Asked } from './endpoint.ts'
import { RequestFailure, type HttpAnswer } from './http-request.ts'
import { readIncoming, type Incoming } from './incoming.ts'
import type { Posting } from './posting.ts'
import { readEvents } from './read-events.ts'

export interface AnswerStreamOptions {
  readonly parts: ChannelParts
  readonly posting: Posting
  readonly request: RequestId
  readonly onMessage: (incoming: Incoming) => Promise<void> | void
  /** Without it a stream that breaks is lost, whatever ids its events have. */
  readonly resuming?: Resuming | undefined
}

/** How a stream is taken up again. */
export interface Resuming {
  open(lastEventId: string): Asked
  /** Throws if the answer says that the session is no more. */
  check(answer: HttpAnswer): void
}

/** A stream and how far it was read. */
interface Position {
  lastEventId: string | undefined
  retryMs: number | undefined
  /** Since it was last opened. */
  hasEvents: boolean
}

/**
 * Reads the stream that answers one request, and takes it up where it broke off if that is possible and its events have
 * ids. Resolves when the answer has come; rejects when it cannot come any more.
 */
export async function followAnswer(
  first: { readonly asked: Asked; readonly answer: HttpAnswer },
  options: AnswerStreamOptions,
): Promise<void> {
  const { parts, posting, request, onMessage, resuming } = options
  const { clock, limits, reconnect } = parts
  const position: Position = { lastEventId: undefined, retryMs: undefined, hasEvents: false }
  let isAnswered = false
  let { asked, answer } = first
  let backoff = newBackoff()

  for (;;) {
    const broken = await read()
    if (isAnswered || posting.isAbandoned) return
    if (isMcpError(broken, 'limit_exceeded')) throw broken
    if (!resuming || position.lastEventId === undefined) throw broken ?? endedEarly()
    if (position.hasEvents) backoff = newBackoff()
    await resume(resuming, position.lastEventId)
  }

  function newBackoff() {
    const { minDelayMs = 500, maxDelayMs = 30_000 } = reconnect ?? {}
    return createBackoff({ clock, minDelayMs, maxDelayMs })
  }

  /** Why it broke off, undefined for a clean end. */
  async function read(): Promise<unknown> {
    let linger: Disposable | undefined
    position.hasEvents = false
    posting.stop = asked.abort
    try {
      await readEvents(answer, asked, {
        peer: parts.peer,
        maxBytes: limits.messageBytes,
        onEvent({ name, data, id }) {
          position.hasEvents = true
          position.lastEventId = id ?? position.lastEventId
          if (name !== 'message' || data === '') return undefined // an id to begin with
          const incoming = readIncoming(data, limits)
          if (incoming.answers.includes(request)) {
            isAnswered = true
            linger = clock.setTimer(asked.abort, patience.lingerMs)
          }
          return onMessage(incoming)
        },
        onRetry: (ms) => (position.retryMs = ms),
      })
      return undefined
    } catch (error) {
      return error
    } finally {
      linger?.[Symbol.dispose]()
      posting.stop = undefined
    }
  }

  /** Tries for as long as the caller waits: the deadline of the call ends it. */
  async function resume({ open, check }: Resuming, lastEventId: string): Promise<void> {
    for (;;) {
      await posting.sleep(backoff.next(position.retryMs))
      if (posting.isAbandoned) throw endedEarly()
      try {
        asked = open(lastEventId)
        posting.stop = asked.abort
        answer = await asked.answer
      } catch (error) {
        if (error instanceof RequestFailure) continue
        throw error
      }
      check(answer)
      if (isEventStream(answer)) return
      void answer.discard()
      if (answer.status < 500 && answer.status !== 429) throw notResumed(answer.status)
    }
  }
}

/** A success that goes on. */
export function isEventStream(answer: HttpAnswer): boolean {
  return answer.status === 200 && mediaTypeOf(answer.header('content-type')) === 'text/event-stream'
}

function endedEarly(): RequestFailure {
  return new RequestFailure(new Error('the stream ended without it'), { sent: true })
}

function notResumed(status: number): RequestFailure {
  const why = `the stream broke off, and the server answered ${status} to taking it up again`
  return new RequestFailure(new Error(why), { sent: true })
}
