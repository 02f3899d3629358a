import type { Clock } from '../../rpc/clock.ts'
import { observeRequest } from '../../rpc/observe-request.ts'
import type { RequestObserver } from '../../rpc/observer.ts'
import type { JsonObject } from '../../schema/json.ts'
import { peerOf } from '../connection/attempt.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { Call } from './calls.ts'

/** Sends a call that is watched, with what the watcher adds to its `_meta`. */
export function observe(
  observer: RequestObserver,
  call: Call,
  { kept, clock }: { readonly kept: () => ReconnectingSession; readonly clock: Clock },
  start: (call: Call) => Promise<object>,
): Promise<object> {
  const { method, params = {}, options } = call
  const { latest } = kept()
  const request = {
    side: 'client' as const,
    method,
    params: params as JsonObject, // messages are JSON
    revision: latest.codec.revision,
    peer: peerOf(latest),
    server: latest.server.info,
  }
  return observeRequest(request, {
    observer,
    clock,
    isGivenUp: () => options.signal?.aborted ?? false,
    send: (meta, traffic) =>
      start({
        ...call,
        ...(meta && { options: { ...options, _meta: { ...meta, ...options._meta } } }),
        traffic,
      }),
  })
}
