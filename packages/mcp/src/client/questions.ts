import type { Clock } from '../rpc/clock.ts'
import type { Connection } from '../rpc/connection.ts'
import type { OnError } from '../rpc/error-report.ts'
import { isMcpError, McpError } from '../rpc/mcp-error.ts'
import type { Request, RequestId } from '../rpc/message.ts'
import { isRpcError, RpcError } from '../rpc/rpc-error.ts'
import { createTokenBucket } from '../rpc/token-bucket.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import { describeProblem, type Problem } from '../schema/check.ts'
import {
  elicitParams,
  elicitResult,
  type ElicitRequestParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type ElicitURLResult,
} from '../schema/elicitation.ts'
import type { CompileSchema } from '../schema/json-schema/compile.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Implementation } from '../schema/metadata.ts'
import { listRootsResult, type Root } from '../schema/roots.ts'
import {
  createMessageParams,
  createMessageResult,
  type CreateMessageRequestParams,
  type CreateMessageResult,
} from '../schema/sampling.ts'
import type { JsonSchema } from '../schema/standard-schema.ts'
import type { Codec } from '../wire/codec.ts'
import { encodeWireError } from '../wire/error-codes.ts'
import { issuesOf } from './output-check.ts'
import { toRoots, type RootsOption } from './roots.ts'

/** A form with a plain JSON Schema to fill in, or a URL to offer. The request comes with its server. */
export type ElicitHandler = (
  request:
    | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: JsonSchema }
    | ElicitRequestURLParams,
  about: AskedBy,
) => ElicitResult | ElicitURLResult | Promise<ElicitResult | ElicitURLResult>

/** Throwing refuses: the call that led here fails, and the server never sees why. */
export type SampleHandler = (
  params: CreateMessageRequestParams,
  about: AskedBy,
) => CreateMessageResult | Promise<CreateMessageResult>

/** On whose behalf something is asked. */
export interface AskedBy {
  readonly server: Implementation | undefined
  /** The call that led to the question, where that is known: while exactly one is in progress. */
  readonly operation?: string
  /** The tool or prompt name, or the resource URI, of that call. */
  readonly name?: string
  /** Aborts when the question is void: the call was cancelled or the connection is gone. */
  readonly signal: AbortSignal
}

export interface QuestionHandlers {
  readonly elicit?: ElicitHandler | undefined
  readonly sample?: SampleHandler | undefined
  readonly roots?: RootsOption | undefined
}

/** What a client with these handlers can be asked. */
export function capabilitiesFor({ elicit, sample, roots }: QuestionHandlers): ClientCapabilities {
  return {
    ...(elicit && { elicitation: {} }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: { listChanged: true } }),
  }
}

/** Answers what the server asks, one connection long. */
export interface Questions {
  onRequest(request: Request, connection: Connection): void
  /** The server withdrew a question. */
  cancel(id: RequestId, reason: string | undefined): void
  /** The connection is gone. */
  abortAll(reason: unknown): void
}

export interface QuestionsOptions {
  readonly codec: () => Codec | undefined
  readonly handlers: () => QuestionHandlers
  readonly about: () => Omit<AskedBy, 'signal'>
  readonly inputMs: number
  readonly clock: Clock
  readonly compileSchema: CompileSchema | undefined
  readonly onError: OnError
}

/** Beyond this a server is no longer asking, it is flooding. */
const rate = { burst: 50, perSecond: 10 }

export function createQuestions(options: QuestionsOptions): Questions {
  const { clock, inputMs } = options
  const open = new Map<RequestId, AbortController>()
  const bucket = createTokenBucket(clock, rate)

  async function answer({ id, method, params }: Request, connection: Connection): Promise<void> {
    const controller = new AbortController()
    const timer = clock.setTimer(() => controller.abort(tookTooLong(method, inputMs)), inputMs)
    open.set(id, controller)
    connection.pause()
    try {
      const result = await Promise.race([
        ask(method, params, { ...options.about(), signal: controller.signal }),
        aborted(controller.signal),
      ])
      if (open.has(id)) connection.reply(id, { jsonrpc: '2.0', id, result })
    } catch (error) {
      if (!open.has(id)) return
      // Somebody who does not answer has neither agreed nor declined.
      if (method === 'elicitation/create' && isMcpError(error, 'timeout')) {
        connection.reply(id, { jsonrpc: '2.0', id, result: { action: 'cancel' } })
      } else connection.refuse(id, toWire(error, method))
    } finally {
      timer[Symbol.dispose]()
      open.delete(id)
      connection.resume()
    }
  }

  async function ask(method: string, params: JsonObject, about: AskedBy): Promise<object> {
    const { elicit, sample, roots } = options.handlers()
    switch (method) {
      case 'elicitation/create':
        return answerElicitation(expectHandler(elicit, method), params, about)
      case 'sampling/createMessage':
        return answerSampling(expectHandler(sample, method), params, about)
      case 'roots/list':
        return answerRoots(expectHandler(roots, method))
      default:
        throw new RpcError('method_not_found', `there is no method ${method} here`, {
          data: { method },
        })
    }
  }

  async function answerElicitation(
    elicit: ElicitHandler,
    params: JsonObject,
    about: AskedBy,
  ): Promise<object> {
    refuse(elicitParams(params), 'elicitation/create')
    const request = params as unknown as ElicitRequestParams // just checked
    if (request.mode === 'url') {
      refuseUnsayable('elicitation/create', params)
      return { action: (await elicit(request, about)).action }
    }
    // A form with fields of a later revision is taken: servers send such, and it can be filled in.
    const { message, requestedSchema } = request
    const result = await elicit({ mode: 'form', message, requestedSchema }, about)
    refuse(elicitResult(result), 'the answer of elicit()', 'internal_error')
    if (result.action !== 'accept') return { action: result.action }
    const content = 'content' in result ? result.content : {}
    const issues = issuesOf(content, requestedSchema, options.compileSchema)
    if (issues)
      throw new TypeError(`elicit() gave content that does not fit the form: ${issues[0]?.message}`)
    return { action: 'accept', content }
  }

  async function answerSampling(
    sample: SampleHandler,
    params: JsonObject,
    about: AskedBy,
  ): Promise<object> {
    refuse(createMessageParams(params), 'sampling/createMessage')
    refuseUnsayable('sampling/createMessage', params)
    const request = params as unknown as CreateMessageRequestParams // just checked
    const result = await sample(request, about)
    refuse(createMessageResult(result), 'the answer of sample()', 'internal_error')
    return options.codec()?.encodeResult('sampling/createMessage', result) ?? result
  }

  /** A question that the revision in use could not have written breaks it, although a later one allows it. */
  function refuseUnsayable(method: string, params: JsonObject): void {
    try {
      options.codec()?.encodeParams(method, params)
    } catch (error) {
      if (!isRpcError(error)) throw error
      throw new RpcError('invalid_params', `${method}: ${error.message}`)
    }
  }

  async function answerRoots(roots: RootsOption): Promise<object> {
    const listed: readonly Root[] = toRoots(typeof roots === 'function' ? await roots() : roots)
    const result = { roots: listed }
    refuse(listRootsResult(result), 'roots', 'internal_error')
    return options.codec()?.encodeResult('roots/list', result) ?? result
  }

  function toWire(error: unknown, method: string): { code: number; message: string } {
    const known = isRpcError(error) ? error : masked(error, method)
    const { code, message } = options.codec()?.encodeError(known) ?? {
      code: known.wireCode,
      message: known.message,
    }
    return { code, message }
  }

  /** A refusal is a refusal; a fault of ours is not described to the peer. */
  function masked(error: unknown, method: string): RpcError {
    options.onError(error, { severity: 'warning', operation: method })
    if (method === 'sampling/createMessage') {
      return new RpcError('input_refused', 'the sampling request was refused')
    }
    return new RpcError('internal_error', `${method} failed`)
  }

  return {
    onRequest(request, connection) {
      const { id, method } = request
      const isKnown = options.codec()?.serverRequests.has(method) ?? false
      if (!isKnown) {
        const error = new RpcError('method_not_found', `there is no method ${method} here`)
        return connection.refuse(id, { code: error.wireCode, message: error.message })
      }
      if (open.has(id))
        return connection.refuse(undefined, {
          code: -32600,
          message: `the request id ${JSON.stringify(id)} is still in use`,
        })
      if (!bucket.take()) {
        const error = new RpcError('overloaded', 'too many questions at once')
        return connection.refuse(id, encodeWireError(error))
      }
      void answer(request, connection)
    },
    cancel(id, reason) {
      const controller = open.get(id)
      open.delete(id)
      controller?.abort(
        new McpError('cancelled', reason ?? 'the server withdrew the question', {
          details: { by: 'caller' },
        }),
      )
    },
    abortAll(reason) {
      for (const [id, controller] of open) {
        open.delete(id)
        controller.abort(reason)
      }
    },
  }
}

function expectHandler<T>(handler: T | undefined, method: string): T {
  if (handler !== undefined) return handler
  throw new RpcError('method_not_found', `this client does not offer ${method}`, {
    data: { method },
  })
}

function refuse(
  problem: Problem | undefined,
  what: string,
  code: 'invalid_params' | 'internal_error' = 'invalid_params',
): void {
  if (problem === undefined) return
  const message = `${what}: ${describeProblem(problem)}`
  throw code === 'internal_error' ? new TypeError(message) : new RpcError(code, message)
}

function tookTooLong(method: string, ms: number): McpError {
  return new McpError('timeout', `nobody answered ${method} within ${ms} ms`, {
    details: { limit: 'input', ms },
  })
}

/** Rejects when aborted, so that a handler that ignores its signal holds nobody up. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
