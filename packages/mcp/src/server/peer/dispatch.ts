import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { isToolError } from '../../rpc/errors/tool-error.ts'
import type { PreparedJson } from '../../rpc/json/prepared-json.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { AnsweredParams } from '../../schema/input/input.ts'
import type { SetLevelRequestParams } from '../../schema/logging.ts'
import type { Operation } from '../../schema/operations.ts'
import type { PageParams } from '../../schema/pagination.ts'
import type { SubscribeRequestParams } from '../../schema/resources.ts'
import type { ListenParams } from '../../schema/subscriptions.ts'
import type { Call } from '../calls/call.ts'
import { reportFault } from '../calls/fault.ts'
import { runOperation } from '../calls/operations.ts'
import { checkParams } from '../calls/params-checks.ts'
import { isDeclared } from '../capabilities.ts'
import type { Definition } from '../definition.ts'
import { extensionMethod } from '../extensions.ts'
import { indexOf, type ListOperation } from '../feature-index.ts'
import { RoundEnd } from '../input/input-required.ts'
import { withLinkIds } from '../input/url-elicitation.ts'
import { preparedList } from '../lists/lists.ts'
import { knownScopes } from '../scopes.ts'
import { listen } from '../subscriptions/listen.ts'
import { subscribe, unsubscribe } from '../subscriptions/subscriptions.ts'
import { TaskStart } from '../tasks/task-view.ts'
import { scopeFailure, toolErrorResult } from '../tools/call-tool.ts'
import { discover } from './discover.ts'

/** The answer to a request: a result of the internal model, or the JSON of one, ready to be sent. */
export type Answer =
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'json'; readonly json: PreparedJson }

/** Params have been checked. */
export type Method = (definition: Definition, params: object, call: Call) => MaybePromise<Answer>

const methods = new Map<string, Method>([
  ['server/discover', (definition, _, { caller }) => result(discover(definition, caller))],
  [
    'subscriptions/listen',
    async (definition, params, call) => {
      return result(await listen(definition, params as ListenParams, call)) // checked, as all below
    },
  ],
  ['tools/call', operation('tools/call')],
  ['tools/list', list('tools/list')],
  ['prompts/get', operation('prompts/get')],
  ['prompts/list', list('prompts/list')],
  ['resources/read', operation('resources/read')],
  ['resources/list', list('resources/list')],
  ['resources/templates/list', list('resources/templates/list')],
  ['completion/complete', operation('completion/complete')],
  [
    'resources/subscribe',
    async (definition, params, call) => {
      const { uri } = params as SubscribeRequestParams
      return result(await subscribe(definition, uri, call))
    },
  ],
  [
    'resources/unsubscribe',
    (definition, params, { caller }) =>
      result(unsubscribe(definition, (params as SubscribeRequestParams).uri, caller)),
  ],
  [
    'logging/setLevel',
    (_, params, { caller }) => {
      caller.setLogLevel((params as SetLevelRequestParams).level)
      return result({})
    },
  ],
])

/**
 * Answers one request for one caller, at once if nothing has to be waited for. Throws or rejects with `RpcError` only:
 * everything else has been masked and reported.
 */
export function dispatch(
  definition: Definition,
  name: string,
  params: object,
  call: Call,
): MaybePromise<Answer> {
  try {
    const { codec, declared, authorize } = call.caller
    if (authorize) call.authorize(knownScopes(definition, name, call.params))
    const core = codec.clientRequests.has(name) ? methods.get(name) : undefined
    const found = core ?? extensionMethod(definition, name, codec)
    if (found === undefined || !isDeclared(name, declared)) throw methodNotFound(name)
    checkParams(name, params)
    const answer =
      !codec.has.liveQuestions && carriesAnswers(params)
        ? call.resume(params).then(() => found(definition, params, call))
        : found(definition, params, call)
    return isPromise(answer) ? masked(answer, call) : answer
  } catch (error) {
    throw refusalFor(error, call)
  }
}

async function masked(answer: Promise<Answer>, call: Call): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw refusalFor(error, call)
  }
}

/** The error that the caller is told: a fault of ours is masked, and links get the ids they are announced by. */
function refusalFor(error: unknown, call: Call): RpcError {
  if (!isRpcError(error)) return reportFault(error, call)
  if (!isRpcError(error, 'url_elicitation_required')) return error
  try {
    return withLinkIds(error, call)
  } catch (fault) {
    return reportFault(fault, call)
  }
}

export function methodNotFound(method: string): RpcError<'method_not_found'> {
  return new RpcError('method_not_found', `there is no method ${method} here`, { data: { method } })
}

function operation(name: Operation): Method {
  return (definition, params, call) => {
    if (definition.hooks.length > 0) call.tasks = taskHooks(definition)
    const onError = (error: unknown): Answer => {
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
function toolAnswer(error: unknown, call: Call): Answer {
  if (isToolError(error)) return result(toolErrorResult(error))
  if (isRpcError(error, 'insufficient_scope') && call.answers.hasBegun) {
    return result(scopeFailure(error))
  }
  throw error
}

function taskHooks({ hooks }: Definition): Call['tasks'] {
  return hooks.find(({ callTool }) => callTool !== undefined)
}

function list(name: ListOperation): Method {
  return (definition, params, call) => {
    if (!indexOf(definition).fixed.has(name)) {
      const pending = runOperation(definition, name, params, call)
      return isPromise(pending) ? pending.then(result) : result(pending)
    }
    const { cursor } = params as PageParams
    return { kind: 'json', json: preparedList(definition, name, call.caller.codec).page(cursor) }
  }
}

function result(value: object): Answer {
  const isUnfinished = value instanceof RoundEnd || value instanceof TaskStart
  return { kind: 'result', result: isUnfinished ? value.result : value }
}

/** A request that comes again, after a round that asked. */
function carriesAnswers(params: object): params is AnsweredParams {
  return 'requestState' in params || 'inputResponses' in params
}
