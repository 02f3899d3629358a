import { holdProcess } from '../../client/connection/hold-process.ts'
import { isRequestId, type RequestId } from '../../rpc/message.ts'
import type { Listed } from '../../rpc/short-lived.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { OutgoingMessage } from '../../rpc/transport/outgoing-message.ts'
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts'
import { namedVersion } from '../../wire/envelope.ts'
import { takeWatched, type WatchedRequest } from './watched-request.ts'

/** One message on its way, from the moment it is given to us until its answer is complete. */
export interface Posting extends Listed {
  readonly outgoing: Outgoing
  /** Waits before its first byte has gone out. */
  isUnsent: boolean
  /** The head of an answer has come. */
  hasHead: boolean
  readonly isAbandoned: boolean
  /** Settles with it, once it has begun. */
  done: Promise<void> | undefined
  /** Ends what the posting waits for just now. */
  stop: (() => void) | undefined
  /** Nobody wants the answer any more. */
  abandon(): void
  /** Returns early if abandoned. */
  sleep(ms: number): Promise<void>
}

export function createPosting(outgoing: Outgoing, clock: Clock): Posting {
  const posting = {
    place: -1,
    outgoing,
    done: undefined as Promise<void> | undefined,
    isUnsent: true,
    hasHead: false,
    isAbandoned: false,
    stop: undefined as (() => void) | undefined,
    abandon() {
      posting.isAbandoned = true
      posting.stop?.()
    },
    async sleep(ms: number) {
      if (posting.isAbandoned) return
      const slept = new Promise<void>((resolve) => {
        const timer = clock.setTimer(resolve, ms)
        posting.stop = () => {
          timer[Symbol.dispose]()
          resolve()
        }
      })
      await holdProcess(slept)
      posting.stop = undefined
    },
  }
  return posting
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
  readonly watched: WatchedRequest | undefined
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
  const { text: body, value } = message
  if (!isJsonObject(value)) return described(body, {})
  const { id, method, params } = value
  if (method === undefined && !isRequestId(id)) return undefined
  if (typeof method !== 'string') return described(body, {})
  if (isRequestId(id)) {
    const watched = message.traffic && takeWatched(message, message.traffic, params)
    return described(body, { method, request: id, modern: describe(id, method, params), watched })
  }
  const isCancel = method === 'notifications/cancelled' && isJsonObject(params)
  const cancels = isCancel ? params['requestId'] : undefined
  return described(body, { method, cancels: isRequestId(cancels) ? cancels : undefined })
}

function described(
  body: string,
  { request, method, cancels, modern, watched }: Partial<Omit<Outgoing, 'body'>>,
): Outgoing {
  return { body, request, method, cancels, modern, watched }
}

function describe(id: RequestId, method: string, params: unknown): ModernRequest | undefined {
  const version = isJsonObject(params) ? namedVersion(params) : undefined
  return isJsonObject(params) && typeof version === 'string'
    ? { id, version, method, params }
    : undefined
}
