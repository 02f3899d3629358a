import type { CompleteRequestParams } from '../../schema/completion.ts'
import type { GetPromptRequestParams } from '../../schema/prompts.ts'
import type { ReadResourceRequestParams } from '../../schema/resources.ts'
import { runOperation, unknown, unknowns } from '../calls/operations.ts'
import { complete } from '../completion/complete.ts'
import type { CallContext } from '../context.ts'
import type { Definition, Mount } from '../definition.ts'
import { indexOf } from '../feature-index.ts'
import { find, inside } from '../indirect.ts'
import { getPrompt } from '../prompts/get-prompt.ts'
import { readResource, resourceNotFound, resourcesFor } from './read-resource.ts'

/** Reads a resource, gets a prompt, or completes an argument of either. Params have been checked. */
export function read(
  definition: Definition,
  operation: 'resources/read' | 'prompts/get' | 'completion/complete',
  params: object,
  context: CallContext,
): Promise<object> {
  switch (operation) {
    case 'resources/read':
      return performRead(definition, params as ReadResourceRequestParams, context) // checked, as all below
    case 'prompts/get':
      return performGet(definition, params as GetPromptRequestParams, context)
    case 'completion/complete':
      return performComplete(definition, params as CompleteRequestParams, context)
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
