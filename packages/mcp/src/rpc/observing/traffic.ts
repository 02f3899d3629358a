import { utf8Length } from '../json/utf8-length.ts'
import type { ObservedFacts } from '../observer.ts'
import type { Clock } from '../time/clock.ts'

/** What becomes of one request that is watched, on its way out and back. */
export class Traffic {
  private readonly clock: Clock
  private readonly begunAt: number
  private firstSentAt: number | undefined
  private resends: number
  private isUnanswered = false
  private requestBytes: number | undefined
  private responseBytes: number | undefined

  /** The request is about to be sent, for the first time or again. */
  constructor(clock: Clock, resends = 0) {
    this.clock = clock
    this.resends = resends
    this.begunAt = clock.now()
  }

  /** From now on bytes may have left. Called each time; without text where an object is passed on. */
  sent(text: string | undefined): void {
    if (this.isUnanswered) this.resends += 1
    this.isUnanswered = true
    this.firstSentAt ??= this.clock.now()
    if (text !== undefined) this.requestBytes = utf8Length(text)
  }

  /** An answer has come. What is sent after it, such as input that a server asked for, is not the same again. */
  received(text: string | undefined): void {
    this.isUnanswered = false
    if (text !== undefined) this.responseBytes = utf8Length(text)
  }

  /** What has been found out until now. */
  facts(): ObservedFacts {
    const { firstSentAt, begunAt, resends, requestBytes, responseBytes } = this
    return {
      requestBytes,
      responseBytes,
      waitedMs: firstSentAt === undefined ? undefined : firstSentAt - begunAt,
      resends,
    }
  }
}
