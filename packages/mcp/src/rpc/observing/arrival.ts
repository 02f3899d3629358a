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

/** What is known of a request until now. */
export type KnownFacts = { -readonly [Name in keyof ObservedFacts]: ObservedFacts[Name] }

/** A request with what is known of how it came. */
export function withArrival(
  { kind, id, method, params }: Request,
  text: string | undefined,
  at?: number,
): Request {
  const bytes = text === undefined ? undefined : utf8Length(text)
  return { kind, id, method, params, arrival: { bytes, at } }
}

/** What is known of a request when its work begins. All have one shape, which is filled in, not copied. */
export function factsOf({ bytes, at }: Arrival, clock: Clock): KnownFacts {
  return {
    requestBytes: bytes,
    responseBytes: undefined,
    waitedMs: at === undefined ? undefined : clock.now() - at,
    resends: undefined,
    fault: undefined,
  }
}
