/**
 * Says why a request to a model failed, in words that help, and whether another try may. It reads the status, the error code of the
 * system and what the provider wrote; the key is never in the text, not even if the provider repeats it.
 *
 * `retry.ts` decides by it whether to try again; the text is what the user sees.
 */

import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import { CutStream } from './answer-events.ts'
import { ModelError, type ModelErrorCode } from './model-error.ts'
import type { ModelAddress } from './model-name.ts'

/** Why a try failed, and whether another one may help. */
export interface Failure {
  readonly error: ModelError
  readonly isRetryable: boolean
  /** The pause that the provider asked for. */
  readonly retryAfterMs: number | undefined
}

export interface FailureContext {
  /** The name by which people choose the model. */
  readonly name: string
  readonly address: ModelAddress
  readonly key: string | undefined
}

/** Says what went wrong in words that help. The key is in none of them, not even if the provider repeats it. */
export async function describeFailure(thrown: unknown, context: FailureContext): Promise<Failure> {
  const found = thrown instanceof ModelError ? asIs(thrown) : classify(thrown, context)
  // Loaded here: it brings the stores of keys along, which a model that answers does not need.
  const { createMasker } = await import('@parley/foundation/secrets')
  const masked = createMasker(context.key === undefined ? [] : [context.key])
  const message = masked(`${context.name}: ${found.message}`)
  const { status } = found
  return {
    // Not with the cause: it holds what was sent.
    error: new ModelError(found.code, message, status === undefined ? {} : { status }),
    isRetryable: found.isRetryable,
    retryAfterMs: found.retryAfterMs,
  }
}

interface RuleOutcome {
  readonly code: ModelErrorCode
  readonly message: string
  readonly isRetryable: boolean
  readonly status?: number
  readonly retryAfterMs?: number | undefined
}

function asIs({ code, message, status }: ModelError): RuleOutcome {
  return { code, message, isRetryable: false, ...(status !== undefined && { status }) }
}

function classify(thrown: unknown, context: FailureContext): RuleOutcome {
  const { baseUrl } = context.address
  // The second is what the reader for compatible endpoints says itself.
  if (thrown instanceof CutStream || nameOf(thrown) === 'AI_InvalidResponseDataError') {
    return unreachable(
      `the answer from ${baseUrl} ended before it was complete. If this happens every time, check the base URL: it usually ends in /v1`,
    )
  }
  const status = statusOf(thrown)
  if (status !== undefined) return classifyStatus(status, thrown, context)
  const code = networkCode(thrown)
  if (code !== undefined) return judgeNetwork(code, context)
  const message = sayingOf(thrown)
  if (nameOf(thrown) === 'AI_UnsupportedFunctionalityError') {
    return {
      code: 'refused',
      message: `${message}: this model does not take it`,
      isRetryable: false,
    }
  }
  return unreachable(
    message === '' ? `${baseUrl} did not answer` : `no answer from ${baseUrl}: ${message}`,
  )
}

function unreachable(message: string, isRetryable = true): RuleOutcome {
  return { code: 'unreachable', message, isRetryable }
}

function classifyStatus(status: number, thrown: unknown, context: FailureContext): RuleOutcome {
  const reported = sayingOf(thrown)
  const quote = reported === '' ? '' : `. The provider says: ${reported}`
  const { baseUrl, id, keyVariable } = context.address
  const rejected = (message: string): RuleOutcome => {
    return {
      code: 'refused',
      message: `${message} (${status})${quote}`,
      isRetryable: false,
      status,
    }
  }
  if (status === 401 || status === 403) {
    const variable = keyVariable ?? 'the key'
    const message =
      context.key === undefined
        ? `${baseUrl} wants a key: set ${variable}, or pass one`
        : `the key was refused by ${baseUrl}: check ${variable}, and that it may use this model`
    const code = 'unauthorized'
    return { code, message: `${message} (${status})${quote}`, isRetryable: false, status }
  }
  if (status === 404) {
    return rejected(
      `${baseUrl} has no model ${JSON.stringify(id)}, or is not a chat-completions endpoint: check both`,
    )
  }
  if (isTooLong(status, reported)) {
    return rejected('the conversation is too long for this model: shorten it, or use fewer tools')
  }
  if (status === 429 && /quota|billing|credit/i.test(reported)) {
    return rejected('the quota of this key is used up: check your plan and billing')
  }
  if (status === 429 || status === 408 || status === 409 || status >= 500) {
    const what = status === 429 ? 'allows no more requests just now' : 'has a problem'
    return {
      ...unreachable(`${baseUrl} ${what}: try again later (${status})${quote}`),
      status,
      retryAfterMs: retryAfterOf(thrown),
    }
  }
  return rejected(`${baseUrl} refused the request`)
}

function isTooLong(status: number, message: string): boolean {
  return status === 413 || (status === 400 && /context.?length|too long|max.*tokens/i.test(message))
}

/** Error codes for which another try does not help: nothing listens there, or not the expected server. */
const permanent = /^(ECONNREFUSED|ENOTFOUND|EACCES|.*CERT.*|.*SELF_SIGNED.*|ERR_TLS.*)$/

function judgeNetwork(code: string, { address }: FailureContext): RuleOutcome {
  const { baseUrl, start } = address
  const { hostname, origin } = new URL(baseUrl)
  if (code === 'ECONNREFUSED') {
    const hint = start === undefined ? 'start the endpoint' : `start it (${start})`
    return unreachable(`nothing listens at ${origin}: ${hint}, or check the base URL`, false)
  }
  if (code === 'ENOTFOUND') {
    return unreachable(`the host ${hostname} was not found: check the base URL`, false)
  }
  return unreachable(`the connection to ${origin} failed (${code})`, !permanent.test(code))
}

function statusOf(thrown: unknown): number | undefined {
  const status = memberOf(thrown, 'statusCode') ?? memberOf(memberOf(thrown, 'error'), 'status')
  // A status of success belongs to an answer that could not be read.
  return typeof status === 'number' && status >= 400 ? status : undefined
}

/** The error code of the system, which may be some causes down. */
function networkCode(thrown: unknown): string | undefined {
  let error = thrown
  for (let depth = 0; depth < 5 && error !== undefined; depth += 1) {
    const code = memberOf(error, 'code')
    if (typeof code === 'string' && /^[A-Z][A-Z_0-9]+$/.test(code)) return code
    const several = memberOf(error, 'errors')
    error = Array.isArray(several) ? several[0] : memberOf(error, 'cause')
  }
  return undefined
}

/** Returns the provider's message: the one in its body, or the body itself, shortened. */
function sayingOf(thrown: unknown): string {
  const body = memberOf(thrown, 'responseBody')
  const parsed = typeof body === 'string' ? parseJsonObject(body) : undefined
  const inner = parsed?.['error'] ?? memberOf(thrown, 'error')
  const message = [
    isJsonObject(inner) ? inner['message'] : inner,
    parsed?.['message'],
    parsed?.['detail'],
    parsed === undefined ? body : undefined,
    memberOf(thrown, 'message'),
    thrown,
  ].find((text) => typeof text === 'string' && text !== '')
  return typeof message === 'string' ? shorten(message) : ''
}

const longestSaying = 500

function shorten(text: string): string {
  // Without what a terminal would obey.
  const plain = text.replaceAll(/<[^>]*>|\p{Cc}+/gu, ' ').replaceAll(/\s+/g, ' ')
  return plain.length > longestSaying ? `${plain.slice(0, longestSaying)}…` : plain.trim()
}

function retryAfterOf(thrown: unknown): number | undefined {
  const headers = memberOf(thrown, 'responseHeaders')
  const milliseconds = Number(memberOf(headers, 'retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds
  const value = memberOf(headers, 'retry-after')
  if (typeof value !== 'string') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function nameOf(thrown: unknown): unknown {
  return memberOf(thrown, 'name')
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
