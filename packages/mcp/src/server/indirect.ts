import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import type { Operation } from '../schema/operations.ts'
import type { CallToolRequestParams } from '../schema/tools.ts'
import type { Call } from './calls/call.ts'
import { runOperation, unknown, unknowns, type Perform } from './calls/operations.ts'
import { checkParams } from './calls/params-checks.ts'
import { CallContext } from './context.ts'
import type { Definition, Entry, Mount } from './definition.ts'
import type { Bound } from './feature-index.ts'
import { layersFor, runLayers } from './middleware.ts'
import type { ToolEntry } from './tools/tools.ts'
import { isVisible } from './visibility.ts'

// What comes between an operation and its feature where there is something between them.

/** Enters a definition that has an `app`, or layers. */
export async function enterThrough(
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

/** Calls a tool that may be hidden, or another definition's. */
export async function callFound(
  bound: Bound<ToolEntry>,
  params: CallToolRequestParams,
  context: CallContext,
  call: (entry: ToolEntry) => MaybePromise<object>,
): Promise<object> {
  const found = await find(bound, context)
  if (found === undefined) throw unknown('tool', params.name)
  if (found.mount) return inside(found.mount, 'tools/call', params, context, 'tool')
  return call(found.entry)
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
