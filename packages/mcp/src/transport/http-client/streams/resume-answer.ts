import { createBackoff } from '../../../rpc/backoff.ts'
import type { ChannelContext } from '../channel.ts'
import type { PendingCall } from '../endpoint.ts'
import type { OutgoingRequest } from '../posting.ts'
import { RequestFailure, type HttpResponse } from '../request/http-request.ts'
import { retryAfterMs } from '../request/refusal.ts'
import { endedEarly, isEventStream, type Position, type Resuming } from './answer-stream.ts'

/** Opens the stream of a call again after the last event; rejects when that is no use any more. */
export type Resume = (
  position: Position,
  lastEventId: string,
) => Promise<{ readonly call: PendingCall; readonly answer: HttpResponse }>

/** For one call, however often its stream breaks: so it comes back no more often than a server can bear. */
export function createResume(
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
    for (let wishMs = retryMs; ;) {
      await outgoingRequest.sleep(backoff.next(wishMs))
      if (outgoingRequest.isAbandoned) throw endedEarly()
      const reached = await ask(lastEventId)
      if (reached === undefined) continue
      const { answer } = reached
      check(answer)
      if (isEventStream(answer)) return reached
      void answer.discard()
      if (answer.status < 500 && answer.status !== 429) throw notResumed(answer.status)
      wishMs = retryAfterMs(answer) ?? retryMs
    }
  }
}

function notResumed(status: number): RequestFailure {
  const why = `the stream broke off, and the server answered ${status} to taking it up again`
  return new RequestFailure(new Error(why), { sent: true })
}
