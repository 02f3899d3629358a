import type { HeldBytes } from '../../../rpc/byte-account.ts'
import type { HttpExchange, HttpHeaders } from '../runtime/exchange.ts'
import type { RequestCaller } from './request-caller.ts'
import type { RequestHeaders } from './request-headers.ts'

/** An exchange that passed the checks of `Host`, `Origin` and the guard, and who sends it. */
export interface Admitted {
  readonly exchange: HttpExchange
  readonly caller: RequestCaller
  readonly headers: RequestHeaders
  /** When it arrived; undefined where nobody watches requests. */
  readonly arrivedAt: number | undefined
  /** What its body takes, and what is made of that. */
  readonly held: HeldBytes
  /** For an answer of any status. */
  readonly cors: HttpHeaders
  /** Answers with what went wrong. */
  readonly refuse: (error: unknown) => void
}
