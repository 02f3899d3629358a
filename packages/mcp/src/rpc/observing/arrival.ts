import { utf8Length } from '../json/utf8-length.ts'
import type { Request } from '../message.ts'
import type { ObservedFacts } from '../observer.ts'
import type { Clock } from '../time/clock.ts'

/** How a request came that is watched. */
export interface Arrival {
  /** As text in UTF-8; undefined where it was none. */
  readonly bytes: number | undefined
  /** When it was there, its body perhaps still missing; undefined where nobody noted that. */
  readonly at: number | undefined
}

/** A request with what is known of how it came. */
export function withArrival(request: Request, text: string | undefined, at?: number): Request {
  return { ...request, arrival: { bytes: text === undefined ? undefined : utf8Length(text), at } }
}

/** What is known of a request when its work begins. */
export function factsOf({ bytes, at }: Arrival, clock: Clock): ObservedFacts {
  return { requestBytes: bytes, waitedMs: at === undefined ? undefined : clock.now() - at }
}
