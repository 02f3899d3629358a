import { keepProcessAlive } from '../../client/connection/hold-process.ts'
import type { Clock } from '../../rpc/clock.ts'
import { isRequestId, type RequestId } from '../../rpc/message.ts'
import type { Traffic } from '../../rpc/observe-request.ts'
import type { OutgoingMessage } from '../../rpc/transport.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { namedVersion } from '../../wire/request-meta.ts'

/** One message on its way, from the moment it is given to us until its answer is complete. */
export interface OutgoingRequest {
  readonly outgoing: Outgoing
  /** Waits before its first byte has gone out. */
  isUnsent: boolean
  /** The head of an answer has come. */
  hasHead: boolean
  readonly isAbandoned: boolean
  /** Settles with it, once it has begun. */
  done: Promise<void> | undefined
  /** Ends what the request waits for just now. */
  stop: (() => void) | undefined
  /** The response is no longer needed. */
  abandon(): void
  /** Returns early if abandoned. */
  sleep(ms: number): Promise<void>
}

export function createOutgoingRequest(outgoing: Outgoing, clock: Clock): OutgoingRequest {
  const outgoingRequest = {
    outgoing,
    done: undefined as Promise<void> | undefined,
    isUnsent: true,
    hasHead: false,
    isAbandoned: false,
    stop: undefined as (() => void) | undefined,
    abandon() {
      outgoingRequest.isAbandoned = true
      outgoingRequest.stop?.()
    },
    async sleep(ms: number) {
      if (outgoingRequest.isAbandoned) return
      const slept = new Promise<void>((resolve) => {
        const timer = clock.setTimer(resolve, ms)
        outgoingRequest.stop = () => {
          timer[Symbol.dispose]()
          resolve()
        }
      })
      await keepProcessAlive(slept)
      outgoingRequest.stop = undefined
    },
  }
  return outgoingRequest
}

/** A message on its way out, and what a transport has to know of it. */
export interface Outgoing {
  readonly body: string
  /** Set for requests: there will be an answer. */
  readonly request: RequestId | undefined
  readonly method: string | undefined
  /** The request this notification cancels. */
  readonly cancels: RequestId | undefined
  /** Set for a request of the modern era, which needs no session. */
  readonly modern: ModernRequest | undefined
  /** Set for a request that is watched. */
  readonly watched: Traffic | undefined
}

/** A request of the modern era, with what its headers repeat. */
export interface ModernRequest {
  readonly id: RequestId
  readonly version: string
  readonly method: string
  readonly params: JsonObject
}

/** Undefined for what HTTP has no place for: an error that answers no request. Throws for what has no JSON. */
export function describeOutgoing(message: OutgoingMessage): Outgoing | undefined {
  const { text: body, value, traffic: watched } = message
  message.traffic = undefined // the endpoint says when it leaves: it may wait for its server
  const { id, method, params } = isJsonObject(value) ? value : { id: 0 } // a batch, or no JSON
  if (method === undefined && !isRequestId(id)) return undefined
  const named = typeof method === 'string' ? method : undefined
  const request = named !== undefined && isRequestId(id) ? id : undefined
  const isCancel = method === 'notifications/cancelled' && isJsonObject(params)
  const cancels = isCancel ? params['requestId'] : undefined
  return {
    body,
    request,
    method: named,
    cancels: isRequestId(cancels) ? cancels : undefined,
    modern: request === undefined ? undefined : describe(request, named, params),
    watched,
  }
}

function describe(
  id: RequestId,
  method: string | undefined,
  params: unknown,
): ModernRequest | undefined {
  const version = isJsonObject(params) ? namedVersion(params) : undefined
  return method !== undefined && isJsonObject(params) && typeof version === 'string'
    ? { id, version, method, params }
    : undefined
}
