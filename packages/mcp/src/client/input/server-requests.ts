/**
 * Answers what a server asks the client: elicitation, sampling, roots. One instance per connection. In the older revisions these
 * are requests of the server; in 2026-07-28 they arrive in results, and `input-rounds.ts` asks here.
 *
 * It checks each request, runs the user's handler within the time a person may take, and answers. Reading an elicitation or a
 * sampling request is done by `answer-elicitation.ts` and `answer-sampling.ts`. Requests are limited in number and rate, and an
 * error of a handler is not described to the server.
 */

import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import type { DeprecatedFeature } from '../../rpc/deprecation.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Request, RequestId } from '../../rpc/message.ts'
import { createTokenBucket } from '../../rpc/rate.ts'
import { onAbort, unlessAborted } from '../../rpc/signals.ts'
import { listRootsResult } from '../../schema/input/input.ts'
import type { CompileSchema } from '../../schema/json-schema/compile.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Implementation } from '../../schema/metadata.ts'
import { encodeInputResponse } from '../../wire/downgrade-input.ts'
import { legacyCodes, encodeWireError } from '../../wire/error-codes.ts'
import { serverRequestsIn } from '../../wire/input-methods.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import { readElicitation } from './answer-elicitation.ts'
import { readSampling } from './answer-sampling.ts'
import type { InputRequestHandler, InputExtension } from './input-extension.ts'
import { modesOf, type InputContext, type InputHandlers } from './input-handlers.ts'
import { inputRate, tooManyInputRequests } from './input-rounds.ts'
import { expectResponse, noHandler, type PreparedRequest } from './prepared-input.ts'
import { toRoots, type RootsOption } from './roots.ts'

/** Answers what the server asks, one connection long. */
export interface ServerRequests {
  onRequest(request: Request, connection: Connection): void
  /**
   * Answers an input request from a result. Rejects with `input_unavailable` if this client has no handler for it,
   * with `input_refused` if its handler threw, with `invalid_message` if the request breaks the protocol, with
   * `limit_exceeded` if there are too many.
   */
  answer(
    method: string,
    params: JsonObject,
    about: {
      readonly operation: string
      readonly name?: string
      readonly signal: AbortSignal
      readonly server?: Implementation
    },
  ): Promise<JsonObject>
  /** The server cancelled a request. */
  cancel(id: RequestId, reason: string | undefined): void
  /** The connection is gone. */
  abortAll(reason: unknown): void
}

export interface ServerRequestsOptions {
  readonly codec: () => Pick<RequestCodec, 'has' | 'revision'> | undefined
  readonly handlers: () => InputHandlers
  readonly about: () => Omit<InputContext, 'signal'>
  readonly inputMs: number
  readonly clock: Clock
  readonly compileSchema: CompileSchema | undefined
  /** A link is offered, whose end the server may announce. */
  readonly onLink?: ((elicitationId: string) => void) | undefined
  readonly deprecated: (feature: DeprecatedFeature) => void
  /** An extension that answers requests as tasks. */
  readonly taking?: InputExtension | undefined
  readonly onError: OnError
}

export function createServerRequests(options: ServerRequestsOptions): ServerRequests {
  const { clock, inputMs, compileSchema, onLink } = options
  const open = new Map<RequestId, AbortController>()
  const bucket = createTokenBucket(clock, inputRate)
  const transaction = options.taking?.open({ clock, codec: options.codec, prepare, explain })

  function read(method: string, params: JsonObject): PreparedRequest {
    const handlers = options.handlers()
    const { elicit, sample, sampling, roots } = handlers
    const codec = options.codec()
    switch (method) {
      case 'elicitation/create': {
        if (elicit === undefined) return noHandler(method)
        const modes = modesOf(handlers)
        return readElicitation(params, { elicit, modes, codec, compileSchema, onLink })
      }
      case 'sampling/createMessage':
        if (sample === undefined) return noHandler(method)
        reportDeprecated('sampling')
        return readSampling(params, { sample, hasTools: sampling?.tools ?? false, codec })
      case 'roots/list':
        if (roots === undefined) return noHandler(method)
        reportDeprecated('roots')
        return { kind: 'ready', run: (about) => answerRoots(roots, about) }
      default:
        return noHandler(method)
    }
  }

  function reportDeprecated(feature: DeprecatedFeature): void {
    if (options.codec()?.has.initialize === false) options.deprecated(feature)
  }

  async function answerRoots(roots: RootsOption, about: InputContext): Promise<object> {
    const result = { roots: toRoots(typeof roots === 'function' ? await roots(about) : roots) }
    expectResponse(listRootsResult(result), 'roots')
    const codec = options.codec()
    return codec ? encodeInputResponse('roots/list', result, codec.has) : result
  }

  /** Gives a handler the time a person may take, and no more. */
  async function inTime(
    method: string,
    controller: AbortController,
    run: (signal: AbortSignal) => Promise<object>,
  ): Promise<object> {
    const { signal } = controller
    const late = tookTooLong(method, inputMs)
    const timer = clock.setTimer(() => controller.abort(late), inputMs)
    try {
      return await unlessAborted(run(signal), signal)
    } catch (error) {
      // A user who does not answer has neither accepted nor declined.
      if (signal.reason === late && method === 'elicitation/create') return { action: 'cancel' }
      throw signal.aborted ? signal.reason : error
    } finally {
      timer[Symbol.dispose]()
    }
  }

  function prepare(method: string, params: JsonObject): InputRequestHandler {
    const prepared = read(method, params)
    if (prepared.kind !== 'ready') throw prepared.why
    return async (connection, controller, task) => {
      const about = { ...options.about(), ...task }
      connection.pause()
      try {
        return await inTime(method, controller, (signal) => prepared.run({ ...about, signal }))
      } finally {
        connection.resume()
      }
    }
  }

  async function reply(request: Request, connection: Connection): Promise<void> {
    const { id, method, params } = request
    const controller = new AbortController()
    open.set(id, controller)
    try {
      const own = transaction?.take(request, connection)
      const result = await (own
        ? unlessAborted(own.result, controller.signal)
        : prepare(method, params)(connection, controller))
      if (open.has(id)) connection.reply(id, { jsonrpc: '2.0', id, result })
      own?.onReplied?.()
    } catch (error) {
      if (open.has(id)) connection.reject(id, toWire(error, method))
    } finally {
      open.delete(id)
    }
  }

  function explain(error: unknown, method: string): RpcError {
    return isRpcError(error) ? error : masked(error, method)
  }

  function toWire(error: unknown, method: string): { code: number; message: string } {
    const explained = explain(error, method)
    const codec = options.codec()
    if (codec === undefined) return { code: explained.wireCode, message: explained.message }
    const { code, message } = encodeWireError(explained, legacyCodes(codec.has))
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
      const codec = options.codec()
      if (codec === undefined || !serverRequestsIn(codec).has(method)) {
        const error = new RpcError('method_not_found', `unknown method: ${method}`)
        return connection.reject(id, { code: error.wireCode, message: error.message })
      }
      if (open.has(id))
        return connection.reject(undefined, {
          code: -32600,
          message: `the request id ${JSON.stringify(id)} is still in use`,
        })
      const isAboutTask = transaction !== undefined && method.startsWith('tasks/') // which has a pace of its own
      if (!isAboutTask && !bucket.take()) {
        const error = new RpcError('overloaded', 'too many questions at once')
        return connection.reject(id, encodeWireError(error))
      }
      void reply(request, connection)
    },
    async answer(method, params, { server, ...about }) {
      about.signal.throwIfAborted()
      const prepared = read(method, params)
      if (prepared.kind !== 'ready') throw unanswerable(prepared, method, server)
      if (!bucket.take()) throw tooManyInputRequests(undefined, server?.name)
      const controller = new AbortController()
      const abortion = onAbort(about.signal, () => controller.abort(about.signal.reason))
      try {
        const result = await inTime(method, controller, (signal) =>
          prepared.run({ ...about, server, signal }),
        )
        return result as JsonObject // what is sent is JSON
      } catch (error) {
        throw controller.signal.aborted ? error : rejected(error, method, server)
      } finally {
        abortion[Symbol.dispose]()
      }
    },
    cancel(id, reason) {
      const controller = open.get(id)
      open.delete(id)
      controller?.abort(
        new McpError('cancelled', reason ?? 'the server cancelled the request', {
          details: { by: 'caller' },
        }),
      )
    },
    abortAll(reason) {
      for (const [id, controller] of open) {
        open.delete(id)
        controller.abort(reason)
      }
      transaction?.end(reason)
    },
  }
}

const kinds = new Map<string, 'elicit' | 'sample' | 'roots'>([
  ['elicitation/create', 'elicit'],
  ['sampling/createMessage', 'sample'],
  ['roots/list', 'roots'],
])

function unanswerable(
  prepared: Exclude<PreparedRequest, { kind: 'ready' }>,
  method: string,
  server: Implementation | undefined,
): McpError {
  const { message } = prepared.why
  const kind = kinds.get(method)
  if (prepared.kind === 'invalid' || kind === undefined) {
    return new McpError('invalid_message', message, {
      details: { excerpt: message },
      peer: server?.name,
    })
  }
  return new McpError('input_unavailable', message, { details: { kind }, peer: server?.name })
}

function rejected(error: unknown, method: string, server: Implementation | undefined): McpError {
  return new McpError('input_refused', `${method} was refused`, {
    details: { kind: kinds.get(method) ?? 'roots' },
    peer: server?.name,
    cause: error,
  })
}

function tookTooLong(method: string, ms: number): McpError {
  return new McpError('timeout', `the client did not answer ${method} within ${ms} ms`, {
    details: { limit: 'input', ms },
  })
}
