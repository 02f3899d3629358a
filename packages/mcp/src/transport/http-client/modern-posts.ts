import { merge } from '../../rpc/merge.ts'
import type { RequestId } from '../../rpc/message.ts'
import { ShortLivedMap } from '../../rpc/short-lived.ts'
import { isJsonObject } from '../../schema/json.ts'
import { encodeHeaderValue, mirroredHeaders } from '../../wire/headers.ts'
import { postHeaders, type ChannelContext } from './channel.ts'
import type { PendingCall } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import {
  type Outgoing,
  type ModernRequest,
  createOutgoingRequest,
  type OutgoingRequest,
} from './outgoing-request.ts'
import type { ReconnectGate } from './reconnect-gate.ts'
import { lostRequest } from './request/failures.ts'
import type { HttpResponse, HttpHeaders } from './request/http-request.ts'
import { readRejection } from './request/refusal.ts'
import { acceptResponse } from './streams/answer-stream.ts'
import { watchSilence } from './streams/silence.ts'

/**
 * Requests of the modern era: each is a POST with its answer, and nothing else belongs to it. There is no session to lose
 * and a stream that broke cannot be resumed. Closing the answer cancels the request.
 */
export interface ModernPosts {
  /** The server has given one of them a result: from now on it is waited for when it cannot be reached. */
  readonly isEstablished: boolean
  /** Sends such a request, or ends the one that is to be cancelled. False for what is neither. */
  take(outgoing: Outgoing): boolean
  /** In the modern era a client sends no responses, and no cancellation: closing the stream cancels. */
  allows(outgoing: Outgoing): boolean
  /** Headers of a notification between such requests. */
  headersFor(notification: Outgoing): HttpHeaders
  /** Calls under way. Subscriptions are not among them: they have no answer to wait for. */
  calls(): readonly OutgoingRequest[]
  /** Closes all answers. */
  abandon(): void
}

export function createModernPosts(
  parts: ChannelContext,
  reconnectGate: ReconnectGate,
): ModernPosts {
  const { endpoint, delivery, clock, link, peer } = parts
  const outgoingRequests = new ShortLivedMap<RequestId, OutgoingRequest>()
  /** The revision that the latest request named. */
  let version: string | undefined
  let isEstablished = false

  async function post(request: ModernRequest, outgoingRequest: OutgoingRequest): Promise<void> {
    try {
      const { body, watched } = outgoingRequest.outgoing
      const headers = headersOf(request)
      const reached = await reconnectGate.reach(outgoingRequest, async (onSent) => {
        const call = endpoint.send({
          method: 'POST',
          url: parts.url,
          headers,
          body,
          watched,
          headMs: Infinity,
          onSent,
        })
        outgoingRequest.stop = call.abort
        return { call, answer: await call.answer }
      })
      await take(request, outgoingRequest, reached)
    } catch (error) {
      if (!outgoingRequest.isAbandoned) delivery.fail(request.id, lostRequest(error, peer))
    } finally {
      if (outgoingRequests.get(request.id) === outgoingRequest) outgoingRequests.take(request.id)
    }
  }

  function headersOf(request: ModernRequest): HttpHeaders {
    const { method, params } = request
    const { name, arguments: args } = params
    const headers = merge(postHeaders, mirroredHeaders(request, request.version))
    if (method !== 'tools/call' || typeof name !== 'string') return headers
    const repeated = link?.paramHeaders?.(name, isJsonObject(args) ? args : {})
    return repeated === undefined ? headers : Object.assign(headers, repeated)
  }

  async function take(
    { id, method }: ModernRequest,
    outgoingRequest: OutgoingRequest,
    reached: { readonly call: PendingCall; readonly answer: HttpResponse },
  ): Promise<void> {
    const { call, answer } = reached
    if (answer.status >= 200 && answer.status <= 299) {
      const onMessage = (incoming: Incoming): Promise<void> | void => {
        isEstablished ||= isResult(incoming, id)
        return delivery.message(incoming.message)
      }
      const isListening = method === 'subscriptions/listen'
      const watch = isListening ? watchSilence : undefined
      return acceptResponse(reached, { parts, outgoingRequest, request: id, onMessage, watch })
    }
    const { kind, error } = await readRejection(answer, call, parts)
    if (outgoingRequest.isAbandoned) return
    // The HTTP answer belongs to this request, whatever id the error carries.
    if (kind === 'rpc') void delivery.message({ jsonrpc: '2.0', id, error })
    else delivery.fail(id, error)
  }

  return {
    get isEstablished() {
      return isEstablished
    },
    take(outgoing) {
      const { modern: request, cancels } = outgoing
      const cancelled = cancels === undefined ? undefined : outgoingRequests.get(cancels)
      cancelled?.abandon()
      if (request === undefined) return cancelled !== undefined
      version = request.version
      const outgoingRequest = createOutgoingRequest(outgoing, clock)
      outgoingRequests.set(request.id, outgoingRequest)
      outgoingRequest.done = post(request, outgoingRequest)
      return true
    },
    allows: ({ method, cancels }) =>
      version === undefined || (method !== undefined && cancels === undefined),
    headersFor({ method }): HttpHeaders {
      if (version === undefined || method === undefined) return {}
      return { 'mcp-protocol-version': version, 'mcp-method': encodeHeaderValue(method) }
    },
    calls: () =>
      [...outgoingRequests.values()].filter(
        ({ outgoing }) => outgoing.method !== 'subscriptions/listen',
      ),
    abandon() {
      for (const outgoingRequest of outgoingRequests.values()) outgoingRequest.abandon()
    },
  }
}

function isResult({ message, answers }: Incoming, id: RequestId): boolean {
  return answers.includes(id) && isJsonObject(message) && 'result' in message
}
