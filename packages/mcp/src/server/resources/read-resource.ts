import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise } from '../../rpc/promise.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import type { ReadResourceRequestParams, ReadResourceResult } from '../../schema/resources.ts'
import { runHandler } from '../calls/run-handler.ts'
import type { CallContext } from '../context.ts'
import type { Definition, Mount } from '../definition.ts'
import { indexOf, type Bound } from '../feature-index.ts'
import { RoundEnd } from '../input/input-required.ts'
import { cacheHints } from '../lists/cache-hint.ts'
import { isUnknownFeature, markUnknown, type RunOperation } from '../mount.ts'
import { requireScopesOf } from '../scopes.ts'
import { findVisible } from '../visibility.ts'
import { toReadResult } from './resource-result.ts'
import type { RegisteredTemplate, ResourceEntry } from './resources.ts'
import { createUriMatcher, type UriMatcher } from './uri-template/match.ts'

/** The resources that match a URI: a fixed one first, then templates in their order. */
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

/** The decoded variables of a URI, if it matches this entry. */
function matchResource(entry: ResourceEntry, uri: string): object | undefined {
  const { template } = entry
  if (template) return climbs(uri) ? undefined : matcherOf(template)(uri)
  return entry.name === uri ? noVariables : undefined
}
const noVariables = Object.freeze({})

const matchers = new WeakMap<RegisteredTemplate, UriMatcher>()

function matcherOf(template: RegisteredTemplate): UriMatcher {
  const known = matchers.get(template)
  if (known) return known
  const matcher = createUriMatcher(template.compiled)
  matchers.set(template, matcher)
  return matcher
}

/** True for a path with a `..` segment, encoded or not: no variable may lead out of its template's folder. */
function climbs(uri: string): boolean {
  const [path = ''] = uri.split(/[?#]/, 1)
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c|\\/gi, '/')
  return /(^|\/)\.\.(\/|$)/.test(decoded)
}

/** `resources/read`: the first resource with this URI that the caller may see, here or in a mounted definition. */
export async function readResource(
  definition: Definition,
  params: ReadResourceRequestParams,
  context: CallContext,
  run: RunOperation,
): Promise<object> {
  const tried = new Set<Mount>()
  for (const { bound, variables } of resourcesFor(definition, params.uri)) {
    const { mount } = bound
    if (mount === undefined) {
      if ((await findVisible(bound, context)) === undefined) continue
      return readContents(bound.entry, params.uri, variables, context)
    }
    if (tried.has(mount)) continue
    tried.add(mount)
    try {
      return await run(mount.inner, 'resources/read', params, context.call)
    } catch (error) {
      // Hidden there; another resource may have the same URI. A handler that found nothing has answered.
      if (!isUnknownFeature(error)) throw error
    }
  }
  throw markUnknown(resourceNotFound(params.uri))
}

/** Throws `resource_not_found` if the handler returns nothing. */
async function readContents(
  entry: ResourceEntry,
  uri: string,
  variables: object,
  context: CallContext,
): Promise<ReadResourceResult | RoundEnd> {
  requireScopesOf(entry.config.scopes, variables, context)
  const withUri = Object.create(context, { uri: { value: uri, enumerable: true } }) as never // the context and its URI
  const pending = runHandler(context.call, () => entry.handler(variables as never, withUri))
  const returned = isPromise(pending) ? await pending : pending
  if (returned instanceof RoundEnd) return returned
  const result = await toReadResult(returned, uri, entry.config.mimeType, context.call)
  if (result === undefined) throw resourceNotFound(uri)
  const { cache, _meta } = entry.config
  return { ...cacheHints(cache), ...(_meta === undefined ? result : withMeta(result, uri, _meta)) }
}

/** What describes the resource belongs to its contents too; what the handler says of them goes before. */
function withMeta(result: ReadResourceResult, uri: string, _meta: MetaObject): ReadResourceResult {
  const contents = result.contents.map((one) =>
    one.uri === uri && one._meta === undefined ? { ...one, _meta } : one,
  )
  return { ...result, contents }
}

export function resourceNotFound(uri: string): RpcError<'resource_not_found'> {
  return new RpcError('resource_not_found', `there is no resource ${uri}`, { data: { uri } })
}
