import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Progress } from '../../schema/progress.ts'
import { Call } from './call.ts'
import type { Caller } from './caller.ts'

/** Differences of a forwarded call from its original. */
export interface RoutedOptions {
  /** The params to pass on. */
  readonly params: JsonObject
  /** @defaultValue that of the call itself */
  readonly operation?: string | undefined
  /** @defaultValue that of the call itself */
  readonly caller?: Caller | undefined
}

/**
 * A request on its way to one of several servers: with other params, else the same. It ends with the request that it
 * stands for; progress and questions go to whoever sent that.
 */
export class ForwardedCall extends Call {
  private readonly outer: Call

  /** Aborts together with the call that it stands for. */
  constructor(outer: Call, { params, operation, caller }: RoutedOptions) {
    super(caller ?? outer.caller, outer.id, operation ?? outer.method, params, outer.responder)
    this.outer = outer
    this.runner = outer.runner
    const before = outer.onAbort
    outer.onAbort = (reason) => {
      before?.(reason)
      const by = isMcpError(reason, 'cancelled') ? reason.details.by : 'caller'
      this.abort(by, reason.message)
    }
    if (outer.isAborted) this.abort('caller', 'it was given up')
  }

  /** That of the call it stands for. */
  override get trace(): Call['trace'] {
    return this.outer.trace
  }

  /** Goes to whoever sent the call it stands for. */
  override progress(progress: Progress): Promise<void> {
    return this.outer.progress(progress)
  }

  /** Stops the timeout of the call it stands for. */
  override pauseTimeout<T>(request: () => Promise<T>): Promise<T> {
    return this.outer.pauseTimeout(request)
  }
}
