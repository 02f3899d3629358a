/**
 * `resources/read`: finds the resource or template for a URI, runs its handler, and converts the return value to contents.
 *
 * Rejects paths that leave the folder of a template. Matching is in `uri-template/match.ts`, the definition of resources in `resources.ts`.
 */

import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise } from '../../rpc/promise.ts'
import { encodeBase64 } from '../../schema/base64.ts'
import { describeProblem } from '../../schema/check.ts'
import { isJson } from '../../schema/make-content.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import {
  readResourceResult,
  type ReadResourceResult,
  type ResourceContents,
  type ReadResourceRequestParams,
} from '../../schema/resources.ts'
import { requireScopesOf, findVisible } from '../access.ts'
import type { Call } from '../calls/call.ts'
import { runHandler } from '../calls/run-handler.ts'
import type { CallContext } from '../context.ts'
import type { Definition, Mount } from '../definition.ts'
import { indexOf, type ExposedFeature } from '../feature-index.ts'
import { RoundEnd } from '../input/input-required.ts'
import { cacheHints } from '../lists/lists.ts'
import { isUnknownFeature, markUnknown, type RunOperation } from '../mount.ts'
import { isBinary, isTextual, readBinary, type Binary } from './binary.ts'
import type { RegisteredTemplate, ResourceEntry } from './resources.ts'
import { createUriMatcher, type UriMatcher } from './uri-template/match.ts'

/** Turns the value that a handler returned into a result; undefined if there is no such resource. */
async function toReadResult(
  returned: unknown,
  uri: string,
  declaredType: string | undefined,
  call: Call,
): Promise<ReadResourceResult | undefined> {
  if (returned === undefined || returned === null) return undefined
  if (typeof returned === 'string') return resultOf(textContents(uri, returned, declaredType))
  if (typeof returned !== 'object') {
    throw new TypeError(
      `a resource cannot return a ${typeof returned}: return text, bytes or json(value)`,
    )
  }
  if (returned instanceof Uint8Array) return resultOf(blobContents(uri, returned, declaredType))
  if (Array.isArray(returned)) return written({ contents: returned }, uri)
  if (isBinary(returned)) return binaryContents(returned, uri, declaredType, call)
  if (isJson(returned)) return resultOf(jsonContents(uri, returned['~json']))
  if ('contents' in returned && Array.isArray(returned.contents)) {
    return written({ ...returned, contents: returned.contents }, uri)
  }
  if ('text' in returned || 'blob' in returned) return written({ contents: [returned] }, uri)
  return resultOf(jsonContents(uri, returned))
}

function resultOf(only: ResourceContents): ReadResourceResult {
  return { contents: [only] }
}

/** Checks contents written by hand, so that their author gets the error and not the client. */
function written(
  result: { readonly contents: readonly unknown[] },
  uri: string,
): ReadResourceResult {
  const whole = { ...result, contents: result.contents.map((content) => withUri(content, uri)) }
  const problem = readResourceResult(whole)
  if (problem === undefined) return whole as ReadResourceResult // just checked
  throw new TypeError(`resource ${uri} returned invalid contents: ${describeProblem(problem)}`)
}

function withUri(content: unknown, requestedUri: string): unknown {
  if (typeof content !== 'object' || content === null) return content
  const { uri = requestedUri, ...rest } = content as { readonly uri?: unknown } // any object
  return { uri, ...rest }
}

function textContents(uri: string, text: string, mimeType = 'text/plain'): ResourceContents {
  return { uri, mimeType, text }
}

function jsonContents(uri: string, value: unknown): ResourceContents {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) }
}

function blobContents(
  uri: string,
  bytes: Uint8Array,
  mimeType = 'application/octet-stream',
): ResourceContents {
  return { uri, mimeType, blob: encodeBase64(bytes) }
}

async function binaryContents(
  value: Binary,
  uri: string,
  declaredType: string | undefined,
  { caller }: Call,
): Promise<ReadResourceResult | undefined> {
  if ('status' in value && (value.status === 404 || value.status === 410)) return undefined
  if ('ok' in value && !value.ok) {
    throw new Error(`reading ${uri} failed with status ${value.status} ${value.statusText}`)
  }
  const body = await readBinary(value, caller.limits.messageBytes)
  const mimeType = declaredType ?? body.mimeType
  const text = isTextual(mimeType) ? decodeText(body.bytes) : undefined
  return resultOf(
    text === undefined
      ? blobContents(uri, body.bytes, mimeType)
      : textContents(uri, text, mimeType),
  )
}

/** Undefined for bytes that are not UTF-8: as text they would arrive changed. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The resources that match a URI: a fixed one first, then templates in their order. */
export function* resourcesFor(
  definition: Definition,
  uri: string,
): Generator<{ readonly exposed: ExposedFeature<ResourceEntry>; readonly variables: object }> {
  const { resources, templates } = indexOf(definition)
  const fixed = resources.get(uri)
  if (fixed) yield { exposed: fixed, variables: {} }
  for (const exposed of templates.values()) {
    const variables = matchResource(exposed.entry, uri)
    if (variables) yield { exposed, variables }
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
  const existing = matchers.get(template)
  if (existing) return existing
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
  for (const { exposed, variables } of resourcesFor(definition, params.uri)) {
    const { mount } = exposed
    if (mount === undefined) {
      if ((await findVisible(exposed, context)) === undefined) continue
      return readContents(exposed.entry, params.uri, variables, context)
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
  const contextWithUri = Object.create(context, { uri: { value: uri, enumerable: true } }) as never // the context and its URI
  const pending = runHandler(context.call, () => entry.handler(variables as never, contextWithUri))
  const returned = isPromise(pending) ? await pending : pending
  if (returned instanceof RoundEnd) return returned
  const result = await toReadResult(returned, uri, entry.config.mimeType, context.call)
  if (result === undefined) throw resourceNotFound(uri)
  const { cache, _meta } = entry.config
  return { ...cacheHints(cache), ...(_meta === undefined ? result : withMeta(result, uri, _meta)) }
}

/** Adds the metadata of the resource to its contents; metadata from the handler has precedence. */
function withMeta(result: ReadResourceResult, uri: string, _meta: MetaObject): ReadResourceResult {
  const contents = result.contents.map((content) =>
    content.uri === uri && content._meta === undefined ? { ...content, _meta } : content,
  )
  return { ...result, contents }
}

export function resourceNotFound(uri: string): RpcError<'resource_not_found'> {
  return new RpcError('resource_not_found', `there is no resource ${uri}`, { data: { uri } })
}
