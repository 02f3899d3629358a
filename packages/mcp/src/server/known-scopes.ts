import type { JsonObject } from '../schema/json/json.ts'
import type { Definition, Entry } from './definition.ts'
import { indexOf, type Bound } from './feature-index.ts'

/**
 * The scopes a request needs as far as its name tells, so that one refusal can name them all before anything is done.
 * None of a feature that some may not even know of.
 */
export function knownScopes(
  definition: Definition,
  method: string,
  params: JsonObject,
): readonly string[] {
  const { scopes, visible } = boundTo(definition, method, params)?.entry.config ?? {}
  return visible === undefined && Array.isArray(scopes) ? (scopes as readonly string[]) : none // or a function
}

const none: readonly string[] = Object.freeze([])

function boundTo(
  definition: Definition,
  method: string,
  { name, uri }: JsonObject,
): Bound<Entry> | undefined {
  const { tools, prompts, resources } = indexOf(definition)
  switch (method) {
    case 'tools/call':
      return typeof name === 'string' ? tools.get(name) : undefined
    case 'prompts/get':
      return typeof name === 'string' ? prompts.get(name) : undefined
    case 'resources/read':
    case 'resources/subscribe':
      return typeof uri === 'string' ? resources.get(uri) : undefined
    default:
      return undefined
  }
}
