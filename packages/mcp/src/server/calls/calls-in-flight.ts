import type { HeldBytes } from '../../rpc/byte-account.ts'
import type { McpErrorDetails } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Request, RequestId } from '../../rpc/message.ts'
import type { ServerLimits } from '../../rpc/server-limits.ts'
import { ShortLivedMap } from '../../rpc/short-lived.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { Definition } from '../definition.ts'
import { CallRunner, type DrainReport } from './call-runner.ts'
import { Call, type Answers } from './call.ts'
import type { Caller } from './caller.ts'

export { shuttingDown, type DrainReport } from './call-runner.ts'

/** The requests of one caller that are being worked on, by id. A class for the same reason as its runner. */
export class CallsInFlight {
  private readonly limits: ServerLimits
  private readonly calls = new ShortLivedMap<RequestId, Call>()
  private readonly runner: CallRunner

  constructor(
    definition: Definition,
    clock: Clock,
    limits: ServerLimits,
    keepsProgressApart = false,
  ) {
    this.limits = limits
    const settled = ({ id }: Call): void => void this.calls.take(id)
    this.runner = new CallRunner(definition, clock, settled, keepsProgressApart)
  }

  get count(): number {
    return this.runner.count
  }

  has(id: RequestId): boolean {
    return this.calls.has(id)
  }

  /** Undefined if there is room for one more request with this id. */
  refusal(id: RequestId): RpcError | undefined {
    return this.inUse(id) ?? this.overload()
  }

  /** Set while a request with this id is worked on. */
  inUse(id: RequestId): RpcError | undefined {
    return this.calls.has(id) ? idInUse(id) : undefined
  }

  /** The one limit on requests at once: undefined if the caller may start one more. */
  overload(): RpcError | undefined {
    const { inFlight } = this.limits
    if (this.calls.size < inFlight) return undefined
    const why = `more requests at once than limits.inFlight (${inFlight}) allows`
    return new RpcError('overloaded', why)
  }

  /** The id must not be in use. */
  start(
    { id, method, params }: Request,
    caller: Caller,
    answers: Answers,
    held: HeldBytes | undefined,
  ): void {
    const call = new Call(caller, id, method, params, answers)
    call.held = held?.keep()
    this.calls.add(id, call)
    this.runner.start(call)
  }

  cancel(id: RequestId, reason: string | undefined): void {
    const call = this.calls.get(id)
    if (call === undefined) return // finished or never there
    call.abort('caller', reason ?? 'the caller cancelled')
    call.answers.forget(id)
  }

  /** The requests that last until one side ends them: `subscriptions/listen`. */
  listening(): readonly RequestId[] {
    return [...this.calls.values()].filter(({ onDrain }) => onDrain).map(({ id }) => id)
  }

  abortAll(by: McpErrorDetails['cancelled']['by'], why: string): void {
    this.runner.abortAll(by, why)
  }

  /** See `CallRunner`. */
  drain(deadlineMs: number): Promise<DrainReport> {
    return this.runner.drain(deadlineMs)
  }

  /** See `CallRunner`. */
  timeOut(now: number): number {
    return this.runner.timeOut(now)
  }
}

/** Two requests with one id could not be told apart. */
export function idInUse(id: RequestId): RpcError {
  return new RpcError('invalid_request', `the request id ${JSON.stringify(id)} is still in use`)
}
