/**
 * Calls that wait at a proxy until their clients come again with answers: a client of 2026-07-28 in front of a server that asks
 * while it works. The client gets the server's requests in a result, with a sealed handle; with its answers the same call goes on.
 *
 * Calls are bounded in number, in time and for each caller, and a handle opens for the same caller, method and arguments only.
 * `modern-calls.ts` is the one user.
 */

import type { ClientIdentity } from '../../client/connection/identity.ts'
import { quotaKeyOf } from '../../rpc/auth-info.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { markHandled } from '../../rpc/promise.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Outcome } from '../../server/calls/dispatch.ts'
import { openText, encryptText } from '../../server/input/request-state.ts'
import type { WireFeatures } from '../../wire/codec.ts'
import { encodeInputResponse, encodeInputRequest } from '../../wire/downgrade-input.ts'
import { progressOf, type Forwarded } from './forward.ts'
import type { ProxySettings } from './proxy-options.ts'
import { isWanted } from './proxy-session.ts'
import type { InputRequestForm } from './questions.ts'

/** A call of a client without a session, in front of a server that asks while it works. */
export interface ParkedCall {
  /** The call to send to the server. */
  readonly forwarded: Forwarded
  /** The answer to `call`: of the server, or what it asks. The call then waits for the client to come again. */
  answerTo(call: Call, outcome?: Promise<Outcome>): Promise<Outcome>
}

/**
 * Calls that wait until their clients come again with answers, bounded in number, in time and for each caller. What a client
 * gets is a sealed handle: it opens for the same caller, method and arguments only.
 */
export interface ParkedCalls {
  readonly count: number
  begin(call: Call, client: ClientIdentity): ParkedCall
  /** Returns `new` for a request that continues no call, `foreign` if its state is not of this proxy. Throws for a call that has ended. */
  resume(call: Call): Promise<ParkedCall | 'new' | 'foreign'>
}

interface Waiting {
  readonly inputRequest: InputRequestForm
  resolve(answer: JsonObject): void
}

/** Questions that a server asks in close succession are put together. */
const togetherMs = 5

export function createParkedCalls(
  { clock, parked: limits }: ProxySettings,
  serverHas: () => WireFeatures | undefined,
): ParkedCalls {
  const parked = new Map<string, { readonly run: Run; readonly quotaKey: string }>()
  const counts = new Map<string, number>()

  interface Run extends ParkedCall {
    resume(call: Call): void
  }

  function begin(first: Call, client: ClientIdentity): Run {
    const quotaKey = quotaKeyOf(first.caller.auth)
    const id = globalThis.crypto.randomUUID()
    const controller = new AbortController()
    const waiting = new Map<string, Waiting>()
    let current: Call | undefined
    let count = 0
    let onRequest: (() => void) | undefined
    let together: Disposable | undefined
    let expiry: Disposable | undefined
    let outcome: Promise<Outcome> | undefined

    function ask(inputRequest: InputRequestForm): Promise<JsonObject> {
      if (!parked.has(id)) {
        const rejection = rejectionFor(quotaKey)
        if (rejection) return Promise.reject(rejection)
        parked.set(id, { run, quotaKey })
        counts.set(quotaKey, (counts.get(quotaKey) ?? 0) + 1)
      }
      const key = `q${++count}`
      return new Promise((resolve, reject) => {
        waiting.set(key, { inputRequest, resolve })
        inputRequest.signal.addEventListener('abort', () => {
          waiting.delete(key)
          reject(inputRequest.signal.reason)
        })
        together ??= clock.setTimer(() => {
          together = undefined
          if (waiting.size > 0) onRequest?.()
        }, togetherMs)
      })
    }

    /** The client has it in hand now; it must come again in time. */
    async function requestClient(call: Call): Promise<Outcome> {
      current = undefined
      expiry?.[Symbol.dispose]()
      expiry = clock.setTimer(() => controller.abort(expired(limits.ms)), limits.ms)
      const { has } = call.caller.codec
      const inputRequests = Object.fromEntries(
        [...waiting].map(
          ([
            key,
            {
              inputRequest: { method, params },
            },
          ]) => [key, { method, params: encodeInputRequest(method, params, has) }],
        ),
      )
      const requestState = await encryptText(call, JSON.stringify({ parked: id }))
      return { kind: 'raw', result: { resultType: 'input_required', inputRequests, requestState } }
    }

    function end(): void {
      expiry?.[Symbol.dispose]()
      together?.[Symbol.dispose]()
      if (!parked.delete(id)) return
      const left = (counts.get(quotaKey) ?? 1) - 1
      if (left === 0) counts.delete(quotaKey)
      else counts.set(quotaKey, left)
    }

    const forwarded: Forwarded = {
      get call() {
        return current ?? first
      },
      client,
      owner: controller,
      capabilities: client.capabilities,
      signal: controller.signal,
      onProgress: progressOf(first) && ((progress) => void current?.progress(progress as never)), // checked when it arrived
      ask,
      log(params) {
        const caller = current?.caller
        if (caller === undefined || !isWanted(params['level'], caller.logLevel)) return
        if (caller.mayLog()) caller.notify('notifications/message', params)
      },
    }

    const run: Run = {
      forwarded,
      async answerTo(call, begun) {
        if (begun) {
          outcome = markHandled(begun)
          void outcome.finally(end).catch(() => undefined) // callers that wait get the error
        }
        current = call
        const { signal } = call
        const forwardAbort = (): void => controller.abort(signal.reason)
        signal.addEventListener('abort', forwardAbort, { once: true })
        const hasRequested = new Promise<'asked'>((resolve) => (onRequest = () => resolve('asked')))
        if (waiting.size > 0 && together === undefined) onRequest?.()
        try {
          const next = await Promise.race([outcome!, hasRequested]) // begun with the first request
          return next === 'asked' ? await requestClient(call) : next
        } finally {
          onRequest = undefined
          signal.removeEventListener('abort', forwardAbort)
        }
      },
      resume(call) {
        if (current !== undefined) throw rejected('it is being continued already')
        expiry?.[Symbol.dispose]()
        const { inputResponses = {} } = call.params
        const has = serverHas()
        for (const [key, answer] of Object.entries(inputResponses as JsonObject)) {
          const found = waiting.get(key)
          if (found === undefined || !isJsonObject(answer)) continue
          waiting.delete(key)
          const { method } = found.inputRequest
          found.resolve(has ? (encodeInputResponse(method, answer, has) as JsonObject) : answer) // as the client gave it
        }
      },
    }
    return run
  }

  function rejectionFor(quotaKey: string): RpcError | undefined {
    const own = counts.get(quotaKey) ?? 0
    if (parked.size < limits.total && own < limits.perCaller) return undefined
    const [limit, allowed] =
      own >= limits.perCaller
        ? (['parked.perCaller', limits.perCaller] as const)
        : (['parked.total', limits.total] as const)
    const why = `more calls wait for answers of clients than ${limit} (${allowed}) allows`
    return new RpcError('overloaded', why, { data: { limit, allowed } })
  }

  return {
    get count() {
      return parked.size
    },
    begin,
    async resume(call) {
      const { requestState } = call.params
      if (typeof requestState !== 'string') return 'new'
      const text = await openText(call, requestState)
      if (text === undefined) return 'foreign'
      const { parked: id } = JSON.parse(text) as { readonly parked?: string } // sealed by us
      if (id === undefined) return 'new'
      const found = parked.get(id)
      if (found === undefined) throw rejected('the call has ended meanwhile')
      found.run.resume(call)
      return found.run
    },
  }
}

/** The error for a state that opens nothing here. */
export function rejected(why: string): RpcError {
  return new RpcError('invalid_params', `requestState was refused: ${why}; call again without it`)
}

function expired(ms: number): McpError {
  return new McpError('timeout', `the client did not come back within ${ms} ms`, {
    details: { limit: 'input', ms },
  })
}
