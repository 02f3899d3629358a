import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { CompleteRequestParams } from '../schema/completion.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Operation } from '../schema/operations.ts'
import type { GetPromptRequestParams } from '../schema/prompts.ts'
import type { ReadResourceRequestParams } from '../schema/resources.ts'
import type { CallToolRequestParams } from '../schema/tools.ts'
import type { Call } from './call.ts'
import { complete } from './completion.ts'
import { CallContext } from './context.ts'
import type { Definition, Entry, Mount } from './definition.ts'
import { indexOf, type Bound, type ListOperation } from './feature-index.ts'
import { isListOperation, listAll, listPage } from './lists.ts'
import { layersFor, runLayers } from './middleware.ts'
import { checkParams } from './params-checks.ts'
import { getPrompt } from './prompts.ts'
import { matchResource, readResource, resourceNotFound, type ResourceEntry } from './resources.ts'
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

type Perform = (
  definition: Definition,
  operation: Operation,
  params: object,
  context: CallContext,
) => MaybePromise<object>

/** Most definitions have nothing around their features, and then nothing is waited for here. */
function enter(
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
      return performRead(definition, params as ReadResourceRequestParams, context)
    case 'prompts/get':
      return performGet(definition, params as GetPromptRequestParams, context)
    case 'completion/complete':
      return performComplete(definition, params as CompleteRequestParams, context)
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return listPage(definition, operation, params, context, innerList(context.call))
  }
}

/** A mounted definition lists all it has, through its own `app` and layers; pages are cut outside. */
function innerList(call: Call): (inner: Definition, operation: ListOperation) => Promise<object> {
  return async (inner, operation) =>
    enter(inner, operation, {}, call, (here, listed, _, context) => {
      if (!isListOperation(listed)) throw new TypeError(`${listed} is no list`)
      return listAll(here, listed, context, innerList(call))
    })
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

async function performGet(
  definition: Definition,
  params: GetPromptRequestParams,
  context: CallContext,
): Promise<object> {
  const bound = await find(indexOf(definition).prompts.get(params.name), context)
  if (bound === undefined) throw unknown('prompt', params.name)
  if (bound.mount) return inside(bound.mount, 'prompts/get', params, context, 'prompt')
  return getPrompt(bound.entry, params.arguments ?? {}, context)
}

async function performRead(
  definition: Definition,
  params: ReadResourceRequestParams,
  context: CallContext,
): Promise<object> {
  const tried = new Set<Mount>()
  for (const { bound, variables } of resourcesFor(definition, params.uri)) {
    const { mount } = bound
    if (mount === undefined) {
      if ((await find(bound, context)) === undefined) continue
      return readResource(bound.entry, params.uri, variables, context)
    }
    if (tried.has(mount)) continue
    tried.add(mount)
    try {
      return await runOperation(mount.inner, 'resources/read', params, context.call)
    } catch (error) {
      // Hidden in there; another may have the same URI. That a resource itself found nothing is an answer.
      if (!unknowns.has(error as object)) throw error // membership needs an object only
    }
  }
  const error = resourceNotFound(params.uri)
  unknowns.add(error)
  throw error
}

/** What a URI names: a fixed resource first, then templates in their order. */
export function* resourcesFor(
  definition: Definition,
  uri: string,
): Generator<{ readonly bound: Bound<ResourceEntry>; readonly variables: object }> {
  const { resources, templates } = indexOf(definition)
  const fixed = resources.get(uri)
  if (fixed) yield { bound: fixed, variables: {} }
  for (const bound of templates.values()) {
    const variables = matchResource(bound.entry, uri)
    if (variables) yield { bound, variables }
  }
}

async function performComplete(
  definition: Definition,
  params: CompleteRequestParams,
  context: CallContext,
): Promise<object> {
  const { ref } = params
  const index = indexOf(definition)
  if (ref.type === 'ref/prompt') {
    const bound = await find(index.prompts.get(ref.name), context)
    if (bound === undefined) throw unknown('prompt', ref.name)
    if (bound.mount) {
      const inner = { ...params, ref: { ...ref, name: ref.name.slice(bound.mount.prefix.length) } }
      return runOperation(bound.mount.inner, 'completion/complete', inner, context.call)
    }
    const names = bound.entry.listed.arguments?.map(({ name }) => name) ?? []
    return complete(bound.entry.config, names, params, context)
  }
  const bound = await find(index.templates.get(ref.uri) ?? index.resources.get(ref.uri), context)
  if (bound === undefined) throw unknown('resource template', ref.uri)
  if (bound.mount) {
    return runOperation(bound.mount.inner, 'completion/complete', params, context.call)
  }
  const names = bound.entry.template?.variables ?? []
  return complete(bound.entry.config, names, params, context)
}

/** Hidden features are not found. A mounted one is judged by its own definition, with its own `app`. */
async function find<B extends Bound<Entry>>(
  bound: B | undefined,
  context: CallContext,
): Promise<B | undefined> {
  if (bound === undefined || bound.mount || bound.entry.config.visible === undefined) return bound
  return (await isVisible(bound.entry, context)) ? bound : undefined
}

async function inside(
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

const unknowns = new WeakSet<object>()

function unknown(kind: string, name: string): RpcError {
  const error = new RpcError('invalid_params', `unknown ${kind}: ${name}`)
  unknowns.add(error)
  return error
}

const noArguments: JsonObject = Object.freeze({})
