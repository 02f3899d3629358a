/**
 * From a method name to its handler: checks the params, then calls the function of the method.
 *
 * The table has a handler for each row of `schema/methods/client-requests.ts`; a missing one does not compile. A proxy gets every
 * request unchecked, before the table. Methods that middleware can wrap go on in `operations.ts`; everything else is answered here.
 * Returns an `Outcome`, which `CallsInFlight` sends.
 */
import { readParams } from '../../rpc/errors/invalid-params.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { isToolError } from '../../rpc/errors/tool-error.ts'
import type { PreparedJson } from '../../rpc/json/json-text.ts'
import type { WireError } from '../../rpc/message.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import type { Check } from '../../schema/check.ts'
import type { InputResponseParams } from '../../schema/input/input.ts'
import {
  clientRequestRow,
  type clientRequests,
  type ClientRequests,
  type ParamsOf,
  type Operation,
} from '../../schema/methods/client-requests.ts'
import { requestParams } from '../../schema/methods/request-params.ts'
import type { Codec } from '../../wire/codec.ts'
import { checkedScopes } from '../access.ts'
import type { Definition } from '../definition.ts'
import { extensionMethod } from '../extensions.ts'
import { indexOf, type ListOperation } from '../feature-index.ts'
import { discover } from '../initialize.ts'
import { RoundEnd } from '../input/input-required.ts'
import { withLinkIds } from '../input/url-elicitation.ts'
import { preparedList } from '../lists/lists.ts'
import { subscribe, unsubscribe } from '../subscriptions.ts'
import { listen } from '../subscriptions/listen.ts'
import { TaskStart } from '../tasks/task-view.ts'
import { scopeFailure, toolErrorResult } from '../tools/call-tool.ts'
import type { Call } from './call.ts'
import { runOperation } from './operations.ts'
import { reportUnexpected } from './report-fault.ts'

/** False for a method behind a capability that was not declared to this caller. */
function isDeclared(method: string, declared: ServerCapabilities): boolean {
  const { capability } = clientRequestRow(method)
  return capability === undefined || declared[capability] !== undefined
}

/** The answer to a request: a result of the internal model, or the JSON of one, ready to be sent. */
export type Outcome =
  | {
      /** A result, as the internal model has it. */
      readonly kind: 'result'
      /** The result. */
      readonly result: object
    }
  | {
      /** A result whose JSON was made before. */
      readonly kind: 'json'
      /** The JSON. */
      readonly json: PreparedJson
    }
  /** A result in the form of the caller's revision. */
  | {
      readonly kind: 'raw'
      /** The result. */
      readonly result: object
    }
  | {
      /** An error. */
      readonly kind: 'error'
      /** The error, with its number. */
      readonly error: WireError
    }

/** Answers a request whose params have been checked. */
type Handler<Params> = (definition: Definition, params: Params, call: Call) => MaybePromise<Outcome>

/** Answers a request with any params. */
export type Method = Handler<object>

/** The requests that features answer: all but those of the connection itself. */
type FeatureRequest = {
  [M in keyof ClientRequests]: (typeof clientRequests)[M] extends { isLifecycle: true } ? never : M
}[keyof ClientRequests]

const handlers: { readonly [M in FeatureRequest]: Handler<ParamsOf<M>> } = {
  'server/discover': (definition, _, { caller }) => result(discover(definition, caller)),
  'tools/list': list('tools/list'),
  'tools/call': operation('tools/call'),
  'resources/list': list('resources/list'),
  'resources/templates/list': list('resources/templates/list'),
  'resources/read': operation('resources/read'),
  'resources/subscribe': async (definition, { uri }, call) =>
    result(await subscribe(definition, uri, call)),
  'resources/unsubscribe': (definition, { uri }, { caller }) =>
    result(unsubscribe(definition, uri, caller)),
  'subscriptions/listen': async (definition, params, call) =>
    result(await listen(definition, params, call)),
  'prompts/list': list('prompts/list'),
  'prompts/get': operation('prompts/get'),
  'completion/complete': operation('completion/complete'),
  'logging/setLevel': (_, { level }, { caller }) => {
    caller.setLogLevel(level)
    return result({})
  },
}

const methods: ReadonlyMap<string, Method> = new Map(
  Object.keys(handlers).map((name) => checked(name as FeatureRequest)), // a key of the table
)

/** Checks params before the handler sees them. */
function checked<M extends FeatureRequest>(name: M): readonly [M, Method] {
  const check: Check<ParamsOf<M>> = requestParams[name]
  const handler: Handler<ParamsOf<M>> = handlers[name]
  const method: Method = (definition, params, call) => {
    return handle(handler, definition, readParams(name, check, params), call)
  }
  return [name, method]
}

/** Takes up the answers of a request that comes again, after a round that asked for input. */
function handle<Params extends object>(
  handler: Handler<Params>,
  definition: Definition,
  params: Params,
  call: Call,
): MaybePromise<Outcome> {
  return call.caller.codec.has.serverRequests || !carriesAnswers(params)
    ? handler(definition, params, call)
    : call.resume(params).then(() => handler(definition, params, call))
}

/**
 * Answers one request for one caller, at once if nothing has to be waited for. Throws or rejects with `RpcError` only:
 * everything else has been masked and reported.
 */
export function dispatch(
  definition: Definition,
  name: string,
  params: object,
  call: Call,
): MaybePromise<Outcome> {
  try {
    const { codec, declared, authorize } = call.caller
    if (authorize) call.authorize(checkedScopes(definition, name, call.params))
    const method = findMethod(definition, name, codec)
    const isOffered = definition.backend ?? isDeclared(name, declared)
    if (method === undefined || !isOffered) throw methodNotFound(name)
    const answer = method(definition, params, call)
    return isPromise(answer) ? masked(answer, call) : answer
  } catch (error) {
    throw rejectionFor(error, call)
  }
}

/** A method of the protocol, else of an extension. A proxy has them all. */
function findMethod(definition: Definition, name: string, codec: Codec): Method | undefined {
  const { backend } = definition
  if (backend) return (_, __, call) => backend.request(call)
  const core = codec.clientRequests.has(name) ? methods.get(name) : undefined
  if (core !== undefined) return core
  const extension = extensionMethod(definition, name, codec)
  return extension && ((...values) => handle(extension, ...values))
}

async function masked(answer: Promise<Outcome>, call: Call): Promise<Outcome> {
  try {
    return await answer
  } catch (error) {
    throw rejectionFor(error, call)
  }
}

/** The error that the caller is told: a fault of ours is masked, and links get the ids they are announced by. */
function rejectionFor(error: unknown, call: Call): RpcError {
  if (!isRpcError(error)) return reportUnexpected(error, call)
  if (!isRpcError(error, 'url_elicitation_required')) return error
  try {
    return withLinkIds(error, call)
  } catch (thrown) {
    return reportUnexpected(thrown, call)
  }
}

export function methodNotFound(method: string): RpcError<'method_not_found'> {
  return new RpcError('method_not_found', `unknown method: ${method}`, { data: { method } })
}

function operation<O extends Operation>(name: O): Handler<ParamsOf<O>> {
  return (definition, params, call) => {
    if (definition.hooks.length > 0) call.tasks = taskHooks(definition)
    const onError = (error: unknown): Outcome => {
      if (name === 'tools/call') return toolAnswer(error, call)
      throw error
    }
    try {
      const pending = runOperation(definition, name, params, call)
      return isPromise(pending) ? pending.then(result, onError) : result(pending)
    } catch (error) {
      return onError(error)
    }
  }
}

/** For what middleware throws; what a tool itself throws is a result already. */
function toolAnswer(error: unknown, call: Call): Outcome {
  if (isToolError(error)) return result(toolErrorResult(error))
  if (isRpcError(error, 'insufficient_scope') && call.responder.isStreaming) {
    return result(scopeFailure(error))
  }
  throw error
}

function taskHooks({ hooks }: Definition): Call['tasks'] {
  return hooks.find(({ callTool }) => callTool !== undefined)
}

function list<O extends ListOperation>(name: O): Handler<ParamsOf<O>> {
  return (definition, params, call) => {
    if (!indexOf(definition).fixed.has(name)) {
      const pending = runOperation(definition, name, params, call)
      return isPromise(pending) ? pending.then(result) : result(pending)
    }
    const json = preparedList(definition, name, call.caller.codec).page(params.cursor)
    return { kind: 'json', json }
  }
}

function result(value: object): Outcome {
  const isUnfinished = value instanceof RoundEnd || value instanceof TaskStart
  return { kind: 'result', result: isUnfinished ? value.result : value }
}

/** A request that comes again, after a round that asked. */
function carriesAnswers(params: object): params is InputResponseParams {
  return 'requestState' in params || 'inputResponses' in params
}
