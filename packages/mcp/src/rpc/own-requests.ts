import type { JsonObject } from '../schema/json.ts'
import { progressParams, type ProgressNotificationParams } from '../schema/progress.ts'
import type { Clock } from './clock.ts'
import { McpError } from './errors/mcp-error.ts'
import { isRpcError, RpcError } from './errors/rpc-error.ts'
import type { ErrorResponse, Malformed, ResultResponse, WireError } from './message.ts'
import type { Traffic } from './observe-request.ts'
import {
  createPendingRequests,
  type PendingOptions,
  type PendingRequests,
} from './pending-requests.ts'
import type { Arrived } from './receiver.ts'

/** The requests of our side of a session: sent, waited for, answered or given up. */
export interface OwnRequests extends PendingRequests {
  readonly send: SendRequest
  /** Takes the response to one of them; one that nothing waits for is reported. */
  response(message: ResultResponse | ErrorResponse, raw?: Arrived): void
  /** Takes a response that cannot be read: its request must not wait for ever. */
  unreadable(message: Malformed): void
  /** Takes `notifications/progress`; false if it belongs to none of them. */
  progressed(params: JsonObject): boolean
}

/** Sends a request; its raw result. */
export type SendRequest = (
  method: string,
  params: JsonObject | undefined,
  options: PendingOptions,
) => Promise<JsonObject>

/** Throws for what cannot be written. `traffic` is set for a request that is watched. */
export type WriteMessage = (message: JsonObject, traffic?: Traffic) => unknown

export interface OwnRequestsOptions {
  readonly clock: Clock
  readonly write: WriteMessage
  /** Their ids are higher. @defaultValue 0 */
  readonly after?: number | undefined
  /** Named in errors. */
  readonly peer?: string | undefined
  readonly decodeError: (error: WireError, method: string) => RpcError
  readonly report: (error: unknown, severity: 'warning' | 'error') => void
}

export function createOwnRequests(options: OwnRequestsOptions): OwnRequests {
  const { clock, write, peer, report } = options
  const pending = createPendingRequests({ clock, after: options.after, onAbandoned: tellCancelled })

  function tellCancelled(requestId: number, method: string, reason: unknown): void {
    if (method === 'initialize') return // the one request that may not be cancelled
    const text = reason instanceof Error ? reason.message : reason
    const params = { requestId, ...(typeof text === 'string' && { reason: text }) }
    try {
      write({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    } catch (error) {
      report(error, 'error')
    }
  }

  return {
    ...pending,
    send(method, params, limits) {
      if (limits.traffic) limits.traffic.params = params
      return pending.open(method, limits, (id) => {
        const sent = limits.onProgress ? withToken(params, id) : params
        write(
          sent === undefined
            ? { jsonrpc: '2.0', id, method }
            : { jsonrpc: '2.0', id, method, params: sent },
          limits.traffic,
        )
      })
    },

    response(message, raw) {
      const { id } = message
      pending.trafficOf(id)?.received(raw)
      if (message.kind === 'result') {
        if (pending.resolve(message.id, message.result)) return
      } else {
        const error = options.decodeError(message.error, pending.methodOf(id) ?? '')
        if (id === undefined) return report(error, 'warning')
        if (pending.reject(id, error)) return
      }
      const why = `a response to nothing we wait for, id ${JSON.stringify(id)}`
      report(new RpcError('invalid_request', why), 'warning')
    },

    unreadable({ id, error }) {
      if (id === undefined || pending.methodOf(id) === undefined) return
      pending.reject(id, unreadable(error, peer))
    },

    progressed(params) {
      if (progressParams(params) !== undefined) {
        report(new RpcError('invalid_params', 'malformed progress notification'), 'warning')
        return true
      }
      const { progressToken, ...progress } = params as unknown as ProgressNotificationParams // just checked
      return pending.progress(progressToken, progress)
    },
  }
}

function unreadable(error: RpcError, peer: string | undefined): McpError {
  const { message } = error
  if (isRpcError(error, 'limit_exceeded'))
    return new McpError('limit_exceeded', message, { details: error.data, peer })
  return new McpError('invalid_message', `the answer is not a valid response: ${message}`, {
    details: { excerpt: message },
    peer,
  })
}

/** A progress token is the request's own id: unique among active requests by construction. */
function withToken(params: JsonObject | undefined, id: number): JsonObject {
  const meta = params?.['_meta'] as JsonObject | undefined // an object wherever it is set
  return { ...params, _meta: { ...meta, progressToken: id } }
}
