import type { RequestObserver } from '../../rpc/observer.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import { peerOf } from '../connection/attempt.ts'
import type { KeptConnection } from '../connection/keep-connected.ts'
import type { Call } from './calls.ts'

/** Sends a call that is watched, with what the watcher adds to its `_meta`. */
export async function observe(
  observer: RequestObserver,
  call: Call,
  kept: () => KeptConnection,
  start: (call: Call) => Promise<object>,
): Promise<object> {
  const { method, params = {}, options } = call
  const { latest } = kept()
  const observation = observer.begin({
    side: 'client',
    method,
    params: params as JsonObject, // messages are JSON
    revision: latest.codec.revision,
    peer: peerOf(latest),
  })
  if (observation === undefined) return start(call)
  const { meta } = observation
  const traced = meta && { ...call, options: { ...options, _meta: { ...meta, ...options._meta } } }
  try {
    const result = await observation.run(() => start(traced ?? call))
    observation.end({ kind: 'result', result })
    return result
  } catch (error) {
    observation.end(
      options.signal?.aborted ? { kind: 'cancelled', reason: error } : { kind: 'error', error },
    )
    throw error
  }
}
