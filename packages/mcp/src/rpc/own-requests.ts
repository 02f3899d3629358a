import type { JsonObject } from '../schema/json/json.ts'
import {
  createPendingRequests,
  type PendingOptions,
  type PendingRequests,
} from './pending-requests.ts'
import type { Clock } from './time/clock.ts'

/** The requests of our side of a connection: sent, waited for, given up. */
export interface OwnRequests extends PendingRequests {
  readonly send: SendRequest
}

/** Sends a request; its raw result. */
export type SendRequest = (
  method: string,
  params: JsonObject | undefined,
  options: PendingOptions,
) => Promise<JsonObject>

export interface OwnRequestsOptions {
  readonly clock: Clock
  /** Throws for what cannot be written. */
  readonly write: (message: JsonObject) => void
  readonly notify: (method: string, params: JsonObject) => void
}

export function createOwnRequests({ clock, write, notify }: OwnRequestsOptions): OwnRequests {
  const pending = createPendingRequests({ clock, onAbandoned: tellCancelled })

  function tellCancelled(requestId: number, method: string, reason: unknown): void {
    if (method === 'initialize') return // the one request that may not be cancelled
    const text = reason instanceof Error ? reason.message : reason
    notify('notifications/cancelled', {
      requestId,
      ...(typeof text === 'string' && { reason: text }),
    })
  }

  return {
    ...pending,
    send: (method, params, options) =>
      pending.open(method, options, (id) => {
        const sent = options.onProgress ? withToken(params, id) : params
        write(
          sent === undefined
            ? { jsonrpc: '2.0', id, method }
            : { jsonrpc: '2.0', id, method, params: sent },
        )
      }),
  }
}

/** A progress token is the request's own id: unique among active requests by construction. */
function withToken(params: JsonObject | undefined, id: number): JsonObject {
  const meta = params?.['_meta'] as JsonObject | undefined // an object wherever it is set
  return { ...params, _meta: { ...meta, progressToken: id } }
}
