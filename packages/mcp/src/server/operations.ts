import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Operation } from '../schema/operations.ts'
import type { CallToolRequestParams } from '../schema/tools.ts'
import type { Call } from './call.ts'
import { CallContext } from './context.ts'
import type { Definition, Entry, Mount } from './definition.ts'
import { indexOf, type Bound } from './feature-index.ts'
import { layersFor, runLayers } from './middleware.ts'
import { checkParams } from './params-checks.ts'
import { loadLists, loadReading } from './parts.ts'
import { callTool, type ToolEntry } from './tools.ts'
import { isVisible } from './visibility.ts'

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
  if (!isBare) return enterThrough(definition, operation, params, call, performHere)
  return performHere(definition, operation, params, new CallContext(call, undefined))
}

async function enterThrough(
  definition: Definition,
  operation: Operation,
  params: object,
  call: Call,
  performHere: Perform,
): Promise<object> {
  const { app: makeApp } = definition.settings
  let app: unknown
  if (makeApp) {
    const made = makeApp(new CallContext(call, undefined))
    app = isPromise(made) ? await made : made
  }
  const context = new CallContext(call, app)
  const layers = layersFor(definition, operation)
  if (layers.length === 0) return performHere(definition, operation, params, context)
  const whole = withArguments(operation, params)
  return runLayers(layers, operation, whole, context, (current) => {
    if (current !== whole) checkParams(operation, current)
    return performHere(definition, operation, current, context)
  })
}

/** On the wire arguments may be left out; middleware always finds them. */
function withArguments(operation: Operation, params: object): object {
  const takesArguments = operation === 'tools/call' || operation === 'prompts/get'
  return takesArguments && !('arguments' in params) ? { ...params, arguments: {} } : params
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
  const isPlain = bound !== undefined && bound.mount === undefined && !bound.entry.config.visible
  return isPlain ? call(bound) : performFoundCall()

  function call({ entry }: Bound<ToolEntry>): MaybePromise<object> {
    const { invalidArguments } = definition.settings
    const args = params.arguments ?? noArguments
    const extended = context.call.tasks?.callTool
    if (extended === undefined) return callTool(entry, args, context, invalidArguments)
    return extended(entry, context, async (own) => callTool(entry, args, own, invalidArguments))
  }

  async function performFoundCall(): Promise<object> {
    const found = await find(bound, context)
    if (found === undefined) throw unknown('tool', params.name)
    if (found.mount) return inside(found.mount, 'tools/call', params, context, 'tool')
    return call(found)
  }
}

/** Hidden features are not found. A mounted one is judged by its own definition, with its own `app`. */
export async function find<B extends Bound<Entry>>(
  bound: B | undefined,
  context: CallContext,
): Promise<B | undefined> {
  if (bound === undefined || bound.mount || bound.entry.config.visible === undefined) return bound
  return (await isVisible(bound.entry, context)) ? bound : undefined
}

export async function inside(
  { inner, prefix }: Mount,
  operation: 'tools/call' | 'prompts/get',
  params: { readonly name: string },
  { call }: CallContext,
  kind: 'tool' | 'prompt',
): Promise<object> {
  try {
    const name = params.name.slice(prefix.length)
    return await runOperation(inner, operation, { ...params, name }, call)
  } catch (error) {
    // Under the name the caller knows, so that hidden and missing read the same.
    throw unknowns.has(error as object) ? unknown(kind, params.name) : error // membership needs an object only
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
