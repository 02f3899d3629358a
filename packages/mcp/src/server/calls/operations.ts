import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Operation } from '../../schema/operations.ts'
import type { CallToolRequestParams } from '../../schema/tools.ts'
import { CallContext } from '../context.ts'
import type { Definition } from '../definition.ts'
import { indexOf } from '../feature-index.ts'
import { indirectPart, loadLists, loadReading } from '../parts.ts'
import { callTool, type ToolEntry } from '../tools/tools.ts'
import type { Call } from './call.ts'

/** Runs one operation for one caller: its `app`, the layers around it, and the feature itself. */
export function runOperation(
  definition: Definition,
  operation: Operation,
  params: object,
  call: Call,
): MaybePromise<object> {
  return enter(definition, operation, params, call, perform)
}

/** What an operation does in one definition. */
export type Perform = (
  definition: Definition,
  operation: Operation,
  params: object,
  context: CallContext,
) => MaybePromise<object>

/**
 * Enters a definition: its `app`, then its layers, then `performHere`. Most have nothing around their features, and then
 * nothing is waited for here.
 */
export function enter(
  definition: Definition,
  operation: Operation,
  params: object,
  call: Call,
  performHere: Perform,
): MaybePromise<object> {
  const isBare = definition.settings.app === undefined && definition.middleware.length === 0
  if (isBare) return performHere(definition, operation, params, new CallContext(call, undefined))
  const { loaded } = indirectPart
  return loaded
    ? loaded.enterThrough(definition, operation, params, call, performHere)
    : indirectPart
        .load()
        .then((part) => part.enterThrough(definition, operation, params, call, performHere))
}

function perform(
  definition: Definition,
  operation: Operation,
  params: object,
  context: CallContext,
): MaybePromise<object> {
  switch (operation) {
    case 'tools/call':
      return performCall(definition, params as CallToolRequestParams, context) // checked by dispatch, as all below
    case 'resources/read':
    case 'prompts/get':
    case 'completion/complete':
      return loadReading().then(({ read }) => read(definition, operation, params, context))
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return loadLists().then(({ listFor }) => listFor(definition, operation, params, context))
  }
}

function performCall(
  definition: Definition,
  params: CallToolRequestParams,
  context: CallContext,
): MaybePromise<object> {
  const bound = indexOf(definition).tools.get(params.name)
  if (bound === undefined) throw unknown('tool', params.name)
  const isPlain = bound.mount === undefined && !bound.entry.config.visible
  if (isPlain) return call(bound.entry)
  const { loaded } = indirectPart
  return loaded
    ? loaded.callFound(bound, params, context, call)
    : indirectPart.load().then((part) => part.callFound(bound, params, context, call))

  function call(entry: ToolEntry): MaybePromise<object> {
    const { invalidArguments } = definition.settings
    const args = params.arguments ?? noArguments
    const extended = context.call.tasks?.callTool
    if (extended === undefined) return callTool(entry, args, context, invalidArguments)
    return extended(entry, context, async (own) => callTool(entry, args, own, invalidArguments))
  }
}

/** Errors that say of something that it is not there. */
export const unknowns = new WeakSet<object>()

export function unknown(kind: string, name: string): RpcError {
  const error = new RpcError('invalid_params', `unknown ${kind}: ${name}`)
  unknowns.add(error)
  return error
}

const noArguments: JsonObject = Object.freeze({})
