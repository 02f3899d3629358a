import type { JsonObject } from '@parley/mcp'
import { isJsonObject, errorMessage } from '@parley/mcp/json'
import { anySignal, withTimeout } from '@parley/mcp/signals'

import type { Check, CheckedRequest, Rejection, Subject } from '../check.ts'

/** A request as an interceptor sees it: copies, so that its changes have no effect. */
export interface InterceptedRequest {
  readonly method: string
  readonly caller: {
    readonly principal: string
    readonly isAnonymous: boolean
    readonly scopes: readonly string[]
    readonly claims: JsonObject
    readonly keyId?: string | undefined
  }
  readonly subject: Pick<Subject, 'kind' | 'upstream' | 'name' | 'exposedName'>
  readonly arguments: JsonObject
}

/** The result of an interceptor: other arguments (before), another result (after), a rejection, or nothing. */
export interface InterceptorAnswer {
  readonly arguments?: JsonObject | undefined
  readonly result?: JsonObject | undefined
  /** For the caller: why. */
  readonly refuse?: string | undefined
}

/** Asks somebody else about a request. Undefined and null leave it as it is; what it throws is a failure. */
export type Ask = (
  stage: 'before' | 'after',
  request: InterceptedRequest,
  result: JsonObject | undefined,
  signal: AbortSignal,
) => Promise<unknown>

/** Options of all interceptors. */
export interface InterceptorOptions {
  readonly name: string
  /** When it fails or takes too long: `open` lets requests pass unchanged, `closed` refuses them. */
  readonly failMode: 'open' | 'closed'
  /** @defaultValue 5_000 */
  readonly timeoutMs?: number | undefined
  /** @defaultValue both */
  readonly stages?: readonly ('before' | 'after')[] | undefined
  /** Is told of each failure. */
  readonly onProblem?: ((message: string) => void) | undefined
}

/** A check that asks, waits no longer than it may, and does as it was told when that fails. */
export function createInterceptor(options: InterceptorOptions, send: Ask): Check {
  const { name, failMode, timeoutMs = 5_000, stages = ['before', 'after'] } = options
  const { onProblem = () => undefined } = options
  const rule = `interceptor: ${name}`

  async function run(
    stage: 'before' | 'after',
    request: CheckedRequest,
    result: JsonObject | undefined,
  ): Promise<JsonObject | Rejection | undefined> {
    try {
      const answer = readAnswer(await requestInTime(stage, request, result), stage)
      if (answer.refuse !== undefined) return { rejected: true, rule, message: answer.refuse }
      return stage === 'before' ? answer.arguments : answer.result
    } catch (error) {
      if (request.signal.aborted) throw error // nobody waits for an answer any more
      const why = `the interceptor ${JSON.stringify(name)} ${errorMessage(error)}`
      onProblem(`${why}; the request was ${failMode === 'open' ? 'let through' : 'refused'}`)
      if (failMode === 'open') return undefined
      return {
        rejected: true,
        rule,
        message: `${why}. Try again later, or ask the operator of this gateway`,
      }
    }
  }

  async function requestInTime(
    stage: 'before' | 'after',
    request: CheckedRequest,
    result: JsonObject | undefined,
  ) {
    const ended = new AbortController()
    const signal = anySignal(request.signal, ended.signal)
    const late = () => new Error(`did not answer within ${timeoutMs} ms`)
    try {
      return await withTimeout(timeoutMs, send(stage, shownOf(request), result, signal), late, {
        signal: request.signal,
      })
    } finally {
      ended.abort()
    }
  }

  return {
    name: rule,
    ...(stages.includes('before') && { before: (request) => run('before', request, undefined) }),
    ...(stages.includes('after') && { after: (request, result) => run('after', request, result) }),
  }
}

function shownOf({
  method,
  caller,
  subject,
  arguments: argumentsShown,
}: CheckedRequest): InterceptedRequest {
  const { principal, isAnonymous, scopes, claims, keyId } = caller
  const { kind, upstream, name, exposedName } = subject
  return {
    method,
    caller: { principal, isAnonymous, scopes, claims, ...(keyId !== undefined && { keyId }) },
    subject: { kind, upstream, name, exposedName },
    arguments: argumentsShown,
  }
}

const maxMessageLength = 2_000

/** Anything but what was agreed on is a failure: a misspelt answer must not look like consent. */
function readAnswer(value: unknown, stage: 'before' | 'after'): InterceptorAnswer {
  if (value === undefined || value === null) return {}
  if (!isJsonObject(value)) throw new Error('answered with something other than an object')
  const allowed = stage === 'before' ? 'arguments' : 'result'
  for (const name of Object.keys(value)) {
    if (name !== 'refuse' && name !== allowed) {
      throw new Error(
        `answered with "${name.slice(0, 50)}": ${allowed} and refuse are possible ${stage} a request`,
      )
    }
  }
  const { refuse } = value
  const changed = value[allowed]
  if (refuse !== undefined && typeof refuse !== 'string')
    throw new Error('answered with a refusal that is not a string')
  if (changed !== undefined && !isJsonObject(changed))
    throw new Error(`answered with ${allowed} that are not an object`)
  return { refuse: refuse?.slice(0, maxMessageLength), [allowed]: changed }
}
