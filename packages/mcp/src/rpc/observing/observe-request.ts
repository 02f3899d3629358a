import type { JsonObject } from '../../schema/json/json.ts'
import type { Observation, ObservedRequest, RequestObserver } from '../observer.ts'
import type { Clock } from '../time/clock.ts'
import { Traffic } from './traffic.ts'

/** How a request is sent that may be watched. */
export interface WatchedSending<Result extends object> {
  readonly observer: RequestObserver
  readonly clock: Clock
  /** How often it was sent before, and watched by itself. @defaultValue 0 */
  readonly resends?: number | undefined
  /** Nobody waits for it any more. */
  isGivenUp(): boolean
  /** With what joins its `_meta`, and what it tells of its way; both are absent for one that is left alone. */
  send(meta: Observation['meta'], traffic: Traffic | undefined): Promise<Result>
}

/** Sends a request, and lets the observer watch it from here to its answer. */
export async function observeRequest<Result extends object>(
  request: ObservedRequest,
  { observer, clock, resends, isGivenUp, send }: WatchedSending<Result>,
): Promise<Result> {
  const observation = observer.begin(request)
  if (observation === undefined) return send(undefined, undefined)
  const traffic = new Traffic(clock, resends)
  try {
    const result = await observation.run(() => send(observation.meta, traffic))
    observation.end({ kind: 'result', result }, traffic.facts())
    return result
  } catch (error) {
    const outcome = isGivenUp()
      ? ({ kind: 'cancelled', reason: error } as const)
      : ({ kind: 'error', error } as const)
    observation.end(outcome, traffic.facts())
    throw error
  }
}

/** Params with more in their `_meta`. */
export function withMeta(params: JsonObject | undefined, meta: object): JsonObject {
  const own = params?.['_meta'] as JsonObject | undefined // an object wherever it is set
  return { ...params, _meta: { ...own, ...meta } }
}
