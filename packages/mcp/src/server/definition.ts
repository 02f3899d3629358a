/**
 * A server as a value: its features, settings and listeners, shared by every caller.
 *
 * `createServer` writes to it, `FeatureIndex` and the lists read from it, `announce` tells listeners that it has changed. No state of
 * a client or a connection is here: that is in `ServerSession` and `Caller`. One definition can be served by several transports at
 * once.
 */
import type { DeprecatedFeature } from '../rpc/deprecation.ts'
import type { OnError } from '../rpc/errors/on-error.ts'
import type { RequestObserver } from '../rpc/observer.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { Backend } from './backend.ts'
import { checkSource } from './check-options.ts'
import type { IncomingRequest } from './context.ts'
import type { ServerExtension, ServerExtensionHooks } from './extensions.ts'
import { invalidateIndex, type FeatureIndex } from './feature-index.ts'
import { invalidDefinition, type PreparingOptions, type Registration } from './feature.ts'
import type { CacheHint } from './lists/lists.ts'
import type { Middleware } from './middleware.ts'
import { exposedName } from './mount.ts'
import { preparePrompt, type PromptEntry, type PromptSource } from './prompts/prompts.ts'
import { prepareResource, type ResourceEntry, type ResourceSource } from './resources/resources.ts'
import {
  prepareTool,
  type InvalidArguments,
  type ToolEntry,
  type ToolSource,
} from './tools/tools.ts'

export type Source = ToolSource | ResourceSource | PromptSource
export type Entry = ToolEntry | ResourceEntry | PromptEntry

/** A registered feature at its place in the order of registration; updating keeps the place. */
export interface Slot {
  readonly kind: 'feature'
  /** Rises with every registration and is never reused. */
  readonly order: number
  entry: Entry
}
/** A mounted definition at its place in the order of registration. */
export interface Mount {
  readonly kind: 'mount'
  readonly order: number
  readonly prefix: string
  readonly inner: Definition
}

/** A change that clients may be told about. */
export type ServerChange =
  | { readonly type: 'tools' | 'prompts' | 'resources' }
  | {
      readonly type: 'resource'
      readonly uri: string
      /** Every process sees it by itself, so nobody has to be told of it. */
      readonly isSeenByAll?: boolean | undefined
    }

/** A server's features and rules. It holds nothing about any caller. */
export interface Definition {
  readonly info: Implementation
  readonly settings: DefinitionSettings
  readonly slots: Set<Slot | Mount>
  /** How many slots there have ever been. */
  registered: number
  readonly names: Record<Entry['kind'], Map<string, Slot>>
  readonly outer: Set<{ readonly definition: Definition; readonly prefix: string }>
  readonly middleware: {
    readonly operation: Operation | undefined
    readonly run: Middleware<never>
  }[]
  /** Called for every change, here and in mounted definitions. */
  readonly listeners: Set<(change: ServerChange) => void>
  /** Hooks of our own extensions. */
  readonly hooks: readonly ServerExtensionHooks[]
  /** Set for a proxy: answers in place of features. */
  readonly backend: Backend | undefined
  /** Made when first needed after a change. */
  index: FeatureIndex | undefined
}

export interface DefinitionSettings extends PreparingOptions {
  readonly instructions?: string | undefined
  readonly app?: ((request: IncomingRequest) => unknown) | undefined
  readonly declares: readonly ('tools' | 'resources' | 'prompts')[]
  readonly experimental?: { readonly [id: string]: JsonObject } | undefined
  readonly extensions: readonly ServerExtension<never>[]
  readonly cache?: CacheHint | undefined
  readonly invalidArguments: InvalidArguments
  readonly coerceArguments?: boolean | undefined
  readonly pageSize: number
  readonly observer?: RequestObserver | undefined
  readonly onError: OnError
  readonly deprecated: (feature: DeprecatedFeature) => void
}

export function createDefinition(
  info: Implementation,
  settings: DefinitionSettings,
  backend?: Backend,
): Definition {
  return {
    info: frozenCopy(info), // sent with every result; in process as this very object
    settings,
    slots: new Set(),
    registered: 0,
    names: { tool: new Map(), resource: new Map(), prompt: new Map() },
    outer: new Set(),
    middleware: [],
    listeners: new Set(),
    hooks: settings.extensions.flatMap((extension) => extension['~server'] ?? []),
    backend,
    index: undefined,
  }
}

export function addFeature(definition: Definition, source: Source): Registration<object> {
  const entry = prepare(source, definition.settings)
  rejectClash(definition, entry.kind, entry.name)
  const slot: Slot = { kind: 'feature', order: (definition.registered += 1), entry }
  definition.slots.add(slot)
  definition.names[entry.kind].set(entry.name, slot)
  announceList(definition, entry.kind)

  function remove(): void {
    if (!definition.slots.delete(slot)) return
    definition.names[entry.kind].delete(entry.name)
    announceList(definition, entry.kind)
  }
  return {
    update(change) {
      if (!definition.slots.has(slot)) return
      const before = slot.entry
      const { kind, name, config, handler } = before
      slot.entry = prepare(
        { kind, name, config: { ...config, ...change }, handler } as Source,
        definition.settings,
      ) // the same kind, changed
      if (looksDifferent(before, slot.entry)) announceList(definition, kind)
      else invalidateIndex(definition)
    },
    remove,
    [Symbol.dispose]: remove,
  }
}

/** True if the list of some caller may have changed: what is listed, or who sees it. */
function looksDifferent(before: Entry, after: Entry): boolean {
  if (before.config.visible !== after.config.visible) return true
  if (before.kind === 'resource' && after.kind === 'resource') {
    if (before.config.list !== after.config.list) return true
  }
  return JSON.stringify(before.listed) !== JSON.stringify(after.listed)
}

/** Mounts a definition: features that are added to `inner` later appear in `outer` too. */
export function mountDefinition(
  outer: Definition,
  inner: Definition,
  prefix: string,
): Registration {
  if (inner === outer || reaches(inner, outer)) {
    throw invalidDefinition(`mount ${JSON.stringify(prefix)}`, 'a server cannot contain itself')
  }
  if (!/^[A-Za-z0-9_./-]*$/.test(prefix)) {
    const why = 'a prefix has the characters of a name: A-Z a-z 0-9 _ . / -'
    throw invalidDefinition(`mount ${JSON.stringify(prefix)}`, why)
  }
  for (const { kind, name } of allEntries(inner))
    rejectClash(outer, kind, exposedName(kind, name, prefix))
  const mount: Mount = { kind: 'mount', order: (outer.registered += 1), prefix, inner }
  const link = { definition: outer, prefix }
  const forward = (change: ServerChange): void => announce(outer, change)
  outer.slots.add(mount)
  inner.outer.add(link)
  inner.listeners.add(forward)
  announceAll(outer)

  function remove(): void {
    if (!outer.slots.delete(mount)) return
    inner.outer.delete(link)
    inner.listeners.delete(forward)
    announceAll(outer)
  }
  return { update: () => undefined, remove, [Symbol.dispose]: remove }
}

/** Adds middleware around one operation, or all. The first added is the outermost. */
export function addLayer(
  definition: Definition,
  operation: Operation | undefined,
  run: Middleware<never>,
): void {
  definition.middleware.push({ operation, run })
  invalidateIndex(definition)
}

/** Tells listeners about a change. A changed list invalidates what is cached of the definition. */
export function announce(definition: Definition, change: ServerChange): void {
  if (change.type !== 'resource') invalidateIndex(definition)
  for (const listener of definition.listeners) listener(change)
}

/** Features of a definition and of all that is mounted in it, with the names they have there. */
export function* allEntries(
  definition: Definition,
): Generator<{ readonly kind: Entry['kind']; readonly name: string }> {
  for (const slot of definition.slots) {
    if (slot.kind === 'feature') yield slot.entry
    else {
      for (const { kind, name } of allEntries(slot.inner)) {
        yield { kind, name: exposedName(kind, name, slot.prefix) }
      }
    }
  }
}

function prepare(source: Source, settings: PreparingOptions): Entry {
  checkSource(source)
  switch (source.kind) {
    case 'tool':
      return prepareTool(source, settings)
    case 'resource':
      return prepareResource(source)
    case 'prompt':
      return preparePrompt(source, settings)
  }
}

/** Throws `duplicate_name`, also if a feature added to a mounted server clashes in an outer one. */
function rejectClash(definition: Definition, kind: Entry['kind'], name: string): void {
  if (hasFeature(definition, kind, name)) {
    const feature = `${kind} ${JSON.stringify(name)}`
    throw invalidDefinition(feature, `${definition.info.name} has it already`, 'duplicate_name')
  }
  for (const { definition: outer, prefix } of definition.outer) {
    rejectClash(outer, kind, exposedName(kind, name, prefix))
  }
}

function hasFeature(definition: Definition, kind: Entry['kind'], name: string): boolean {
  if (definition.names[kind].has(name)) return true
  for (const slot of definition.slots) {
    if (slot.kind !== 'mount') continue
    const inside = kind === 'resource' ? name : withoutPrefix(name, slot.prefix)
    if (inside !== undefined && hasFeature(slot.inner, kind, inside)) return true
  }
  return false
}

function withoutPrefix(name: string, prefix: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

function reaches(from: Definition, target: Definition): boolean {
  for (const slot of from.slots) {
    if (slot.kind === 'mount' && (slot.inner === target || reaches(slot.inner, target))) return true
  }
  return false
}

function announceList(definition: Definition, kind: Entry['kind']): void {
  announce(definition, { type: `${kind}s` })
}

function announceAll(definition: Definition): void {
  for (const type of ['tools', 'resources', 'prompts'] as const) announce(definition, { type })
}

function frozenCopy(info: Implementation): Implementation {
  return JSON.parse(JSON.stringify(info), (_, value: unknown) =>
    Object.freeze(value),
  ) as Implementation // as it was written
}
