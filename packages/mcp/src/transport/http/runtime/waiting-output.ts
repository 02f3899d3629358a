import type { SharedTimer } from '../../../rpc/clock.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { MemoryShare, type MemoryBudget } from '../../../rpc/memory-budget.ts'
import type { QuotaKey } from '../admitted-request.ts'

/** How much may wait for readers, and how long. */
export interface OutputRules {
  readonly quotaKey: MemoryBudget
  /** A reader that takes nothing for so long is cut off. */
  readonly outputMs: number
  /** Tells when that time is over. */
  readonly timer: SharedTimer
  readonly onCut: (why: RpcError) => void
}

/** Bytes on their way to one reader. */
export interface Outgoing {
  /** Written, but taken by nobody yet: bytes or characters. */
  unread(): number
  /** Changes whenever the reader takes something. */
  progress(): number
  /** Ends the connection at once. */
  cut(): void
}

/** Bytes that may wait on any connection without being counted. */
export const uncountedLength = 64 * 1024

/** Charges what waits for a reader to its caller, and gives up on a reader that takes nothing for long. */
export class OutputGuard {
  private readonly rules: OutputRules
  private readonly outgoing: Outgoing
  private readonly memory: MemoryShare
  private watch: Disposable | undefined
  private before = 0

  constructor(rules: OutputRules, caller: QuotaKey, outgoing: Outgoing) {
    this.rules = rules
    this.outgoing = outgoing
    this.memory = new MemoryShare(rules.quotaKey, caller)
  }

  /** Reserves memory for output that is about to be written; returns an error if there is none. */
  begin(length: number): RpcError<'overloaded'> | undefined {
    // A character may take two bytes, or another one on its way to the system.
    const rejection = this.memory.resize(2 * (this.outgoing.unread() + length))
    if (rejection) this.rules.onCut(rejection)
    return rejection
  }

  /** Something was written, or taken. */
  update(): void {
    const unread = this.outgoing.unread()
    if (unread < uncountedLength) return this.stop()
    const rejection = this.memory.resize(2 * unread)
    if (rejection) return this.cut(rejection)
    if (this.watch === undefined) this.poll()
  }

  /** All of it was taken, or nobody will. */
  close(): void {
    this.stop()
    this.memory.close()
  }

  private poll(): void {
    this.before = this.outgoing.progress()
    this.watch = this.rules.timer.after(() => {
      this.watch = undefined
      if (this.outgoing.progress() === this.before) this.cut(this.tooSlow())
      else this.update()
    })
  }

  private stop(): void {
    this.watch?.[Symbol.dispose]()
    this.watch = undefined
    this.memory.resize(0)
  }

  private cut(why: RpcError): void {
    this.close()
    this.rules.onCut(why)
    this.outgoing.cut()
  }

  private tooSlow(): RpcError {
    const { outputMs } = this.rules
    const unread = this.outgoing.unread()
    return new RpcError(
      'overloaded',
      `a reader was cut off: of ${unread} bytes that wait for it nothing was read for ${outputMs} ms (outputMs)`,
    )
  }
}
