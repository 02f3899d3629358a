import {
  compileJsonSchema,
  type CallToolResult,
  type JsonObject,
  type JsonSchema,
  type Validate,
} from '@parley/mcp'
import { anySignal } from '@parley/mcp/signals'

import { buildRequest } from './build-request.ts'
import type { ToolInput } from './input.ts'
import type { Operation } from './operations.ts'
import { joinPages, nextPage, type PageCursor } from './paging.ts'
import type { Authorize, OpenApiCaller } from './security.ts'
import { readAnswer, type ApiResponse, sendRequest, type OpenApiFetch } from './send-request.ts'
import { errorResult, failed, successResult } from './to-result.ts'
import { operationName } from './tool-names.ts'

const maxReason = 300

/** Headers for every request, or what gives them for each call. */
export type HeaderSource =
  | { readonly [name: string]: string }
  | ((
      caller: OpenApiCaller,
    ) => { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>)

/** Settings that all operations of a document share. */
export interface CallSettings {
  readonly authorize: Authorize
  readonly headers: HeaderSource
  readonly fetch: OpenApiFetch
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly maxPages: number
  readonly cursors: readonly PageCursor[]
}

/** An operation that can be called. */
export interface Callable {
  readonly base: URL
  readonly operation: Operation
  readonly input: ToolInput
  readonly outputSchema: JsonSchema | undefined
}

/** Makes the function that calls an operation. It never rejects but with the reason of the caller's signal. */
export function createCall(
  callable: Callable,
  settings: CallSettings,
): (args: JsonObject, caller?: OpenApiCaller) => Promise<CallToolResult> {
  const { operation, input, outputSchema } = callable
  const name = operationName(operation)
  let validate: Validate | undefined
  const fitsOutput = outputSchema && (() => (validate ??= compileJsonSchema(outputSchema)))

  return async (args, caller = {}) => {
    const time = AbortSignal.timeout(settings.timeoutMs)
    const signal = anySignal(time, caller.signal)
    try {
      return await run(args, caller, signal)
    } catch (error) {
      caller.signal?.throwIfAborted()
      if (time.aborted) return failed(`${name} did not answer within ${settings.timeoutMs} ms`)
      return failed(`${name} failed: ${reasonOf(error)}`)
    }
  }

  async function run(first: JsonObject, caller: OpenApiCaller, signal: AbortSignal) {
    let args = first
    let sum: ApiResponse['json']
    let left = settings.maxBytes
    for (let page = 1; ; page++) {
      const response = await ask(args, caller, signal, left)
      if ('problem' in response) return failed(`${name}: ${response.problem}`)
      const { answer, url } = response
      if (answer.status >= 400) return errorResult(name, answer)
      const joined = page === 1 ? answer.json : joinPages(sum, answer.json)
      // A page that cannot be joined, or is cut, was not asked for: what there is goes out, and how to go on.
      if (page > 1 && joined === undefined) return successResult(answer, sum, args, fitsOutput)
      sum = joined
      left -= answer.bytes.length
      const next = nextPage(answer, url, input, args, settings.cursors)
      if (next === undefined || page >= settings.maxPages || left <= 0) {
        return successResult(answer, sum, next, fitsOutput)
      }
      args = next
    }
  }

  async function ask(
    args: JsonObject,
    caller: OpenApiCaller,
    signal: AbortSignal,
    maxBytes: number,
  ) {
    const authorization = await settings.authorize(operation, caller)
    if ('problem' in authorization) return authorization
    const { headers: source } = settings
    const headers = typeof source === 'function' ? await source(caller) : source
    const request = await buildRequest({ ...callable, args, authorization, headers })
    if ('problem' in request) return request
    const sent = await sendRequest(request, { fetch: settings.fetch, signal })
    if ('problem' in sent) return sent
    return { answer: await readAnswer(sent.response, maxBytes), url: request.url }
  }
}

/** Why nothing came, in the words of what failed, but without URLs: they may carry a key. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  const text = cause.message
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, 'the URL')
    .slice(0, maxReason)
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return code === undefined || text.includes(code) ? text || cause.name : `${code}: ${text}`
}
