import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { Codec } from '../wire/codec.ts'
import type { Definition, Entry, Mount } from './definition.ts'
import type { PreparedList } from './lists/pagination.ts'
import { exposedName } from './mount.ts'
import type { PromptEntry } from './prompts/prompts.ts'
import type { ResourceEntry } from './resources/resources.ts'
import type { ToolEntry } from './tools/tools.ts'

/** A feature under the name callers use, and the mount that leads to it if it is another definition's. */
export interface ExposedFeature<E extends Entry> {
  readonly name: string
  readonly entry: E
  readonly mount: Mount | undefined
  /** The position of its slot in this definition. */
  readonly order: number
}

/** Everything a definition offers, its mounts included, in order; made once per change. */
export interface FeatureIndex {
  readonly tools: ReadonlyMap<string, ExposedFeature<ToolEntry>>
  readonly prompts: ReadonlyMap<string, ExposedFeature<PromptEntry>>
  readonly resources: ReadonlyMap<string, ExposedFeature<ResourceEntry>>
  readonly templates: ReadonlyMap<string, ExposedFeature<ResourceEntry>>
  /** Some feature has completers. */
  readonly completes: boolean
  /** The lists that are the same for every caller, so that they can be prepared as text. */
  readonly fixed: ReadonlySet<ListOperation>
  /** Prepared lists by operation and revision. */
  readonly prepared: Map<string, PreparedList>
  /** The declared capabilities; made when first needed. */
  declared: ServerCapabilities | undefined
  /** Results of `initialize` as JSON text, for whoever is told just that. */
  readonly initializeResults: Map<Codec, string>
}

export type ListOperation = Extract<Operation, `${string}list`>

export function indexOf(definition: Definition): FeatureIndex {
  definition.index ??= createIndex(definition)
  return definition.index
}

/**
 * Drops the index of a definition after a change, and of every definition it is mounted in. With it go all prepared list
 * pages, declared capabilities and results of `initialize`: nothing else of a definition is cached.
 */
export function invalidateIndex(definition: Definition): void {
  definition.index = undefined
  for (const outer of definition.outer) invalidateIndex(outer.definition)
}

function createIndex(definition: Definition): FeatureIndex {
  const tools = new Map<string, ExposedFeature<ToolEntry>>()
  const prompts = new Map<string, ExposedFeature<PromptEntry>>()
  const resources = new Map<string, ExposedFeature<ResourceEntry>>()
  const templates = new Map<string, ExposedFeature<ResourceEntry>>()
  let completes = false

  function add(name: string, entry: Entry, mount: Mount | undefined, order: number): void {
    if (entry.kind === 'tool') tools.set(name, { name, entry, mount, order })
    else if (entry.kind === 'prompt') prompts.set(name, { name, entry, mount, order })
    else (entry.template ? templates : resources).set(name, { name, entry, mount, order })
    if (entry.kind !== 'tool' && entry.config.complete) completes = true
  }
  for (const slot of definition.slots) {
    if (slot.kind === 'feature') add(slot.entry.name, slot.entry, undefined, slot.order)
    else {
      for (const { name, entry } of everything(indexOf(slot.inner))) {
        add(exposedName(entry.kind, name, slot.prefix), entry, slot, slot.order)
      }
    }
  }
  return {
    tools,
    prompts,
    resources,
    templates,
    completes,
    fixed: new Set(listOperations.filter((list) => isFixed(definition, list))),
    prepared: new Map(),
    declared: undefined,
    initializeResults: new Map(),
  }
}

function* everything(index: FeatureIndex): Generator<ExposedFeature<Entry>> {
  yield* index.tools.values()
  yield* index.prompts.values()
  yield* index.resources.values()
  yield* index.templates.values()
}

function isFixed(definition: Definition, list: ListOperation): boolean {
  if (definition.settings.app) return false // `app` may refuse a caller
  if (
    definition.middleware.some(({ operation }) => operation === undefined || operation === list)
  ) {
    return false
  }
  for (const slot of definition.slots) {
    if (slot.kind === 'mount' ? !isFixed(slot.inner, list) : varies(slot.entry, list)) return false
  }
  return true
}

const listOperations: readonly ListOperation[] = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]

const kindOf: Record<ListOperation, Entry['kind']> = {
  'tools/list': 'tool',
  'prompts/list': 'prompt',
  'resources/list': 'resource',
  'resources/templates/list': 'resource',
}

function varies(entry: Entry, list: ListOperation): boolean {
  if (entry.kind !== kindOf[list]) return false
  if (entry.config.visible) return true
  return entry.kind === 'resource' && list === 'resources/list' && entry.config.list !== undefined
}
