/**
 * Resources and templates as values: `defineResource()`, its configuration and types, and the checks when one is registered or listed by a
 * template.
 *
 * Reading is in `read-resource.ts`, changes and subscriptions in `server/subscriptions.ts`, URI templates in `uri-template/`.
 */

import { describeProblem } from '../../schema/check.ts'
import type { Json } from '../../schema/make-content.ts'
import type { Annotations } from '../../schema/metadata.ts'
import {
  type BlobResourceContents,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  type TextResourceContents,
  resource,
} from '../../schema/resources.ts'
import type { Completer } from '../completion/completion.ts'
import type { Context, RequestContext, CallContext } from '../context.ts'
import {
  describe,
  invalidDefinition,
  type Feature,
  type FeatureConfig,
  type Scopes,
} from '../feature.ts'
import type { InputRequired } from '../input/input-required.ts'
import { cacheHintProblem, type CacheHint } from '../lists/lists.ts'
import type { Binary } from './binary.ts'
import { compileTemplate, type CompiledTemplate } from './uri-template/compile.ts'
import { isUriTemplate, parseTemplateParts, variablesOf } from './uri-template/syntax.ts'
import type { UriVariables } from './uri-template/uri-template.ts'

/** How a resource or template is listed, watched and completed, and who may read it. */
export interface ResourceConfig<Uri extends string, App = unknown> extends FeatureConfig<App> {
  /** @defaultValue the URI or template */
  readonly name?: string | undefined
  /** The media type of its contents, such as `text/markdown`. */
  readonly mimeType?: string | undefined
  /** Bytes, before any base64, if you know it. */
  readonly size?: number | undefined
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations | undefined
  /** The scopes that a caller needs to read it; others are refused. @defaultValue nothing */
  readonly scopes?: Scopes<UriVariables<Uri>, App> | undefined
  /** How long clients may cache its contents, in revisions that can say it. @defaultValue not at all */
  readonly cache?: CacheHint | undefined
  /** For a template: the members worth listing. An async iterable is read one page at a time. */
  readonly list?:
    | ((
        context: RequestContext<App>,
      ) => AsyncIterable<Resource> | Promise<readonly Resource[]> | readonly Resource[])
    | undefined
  /** Suggestions per variable. */
  readonly complete?:
    | { readonly [V in keyof UriVariables<Uri>]?: Completer<App> | undefined }
    | undefined
  /** Runs while somebody is subscribed to the URI; call `changed` when it has new contents. */
  readonly watch?:
    | ((
        variables: UriVariables<Uri>,
        changed: () => void,
        signal: AbortSignal,
      ) => void | Promise<void>)
    | undefined
  /**
   * True if `watch` reports every change at whichever process it runs, as for a shared folder or database. Then the processes of
   * a cluster do not tell each other of these changes. @defaultValue false
   */
  readonly watchSeesAll?: boolean | undefined
}

/** Nothing returned means there is no such resource. */
export type ResourceHandler<Uri extends string, App> = (
  variables: UriVariables<Uri>,
  context: Context<App> & { readonly uri: string },
) => ResourceReturn | Promise<ResourceReturn>

/** Contents of the requested resource, or of another with its own `uri`. */
export type ReturnedContents = (
  | Omit<TextResourceContents, 'uri'>
  | Omit<BlobResourceContents, 'uri'>
) & { readonly uri?: string | undefined }

/** The values that a handler of a resource may return. */
export type ResourceReturn =
  | string
  | Uint8Array
  | Binary
  | Json
  | ReturnedContents
  | readonly ReturnedContents[]
  | (Omit<ReadResourceResult, 'contents'> & {
      /** The contents; one without a `uri` is that of the requested resource. */
      readonly contents: readonly ReturnedContents[]
    })
  | InputRequired
  | undefined
  | null

/** A resource, or a family of them, as a value. */
export function defineResource<const Uri extends string, App = unknown>(
  uri: Uri,
  config: ResourceConfig<Uri, App>,
  handler: ResourceHandler<Uri, App>,
): Feature<App> {
  const source: ResourceSource = {
    kind: 'resource',
    name: uri,
    config: config as unknown as AnyResourceConfig, // variables are typed for the author, the template yields them
    handler,
  }
  return source
}

/** Inside, variables are whatever the template yields. */
export type AnyResourceConfig = ResourceConfig<string, never>
export type AnyResourceHandler = (variables: never, context: never) => unknown

/** A resource before it is registered; its name is its URI or template. */
export interface ResourceSource {
  readonly kind: 'resource'
  readonly name: string
  readonly config: AnyResourceConfig
  readonly handler: AnyResourceHandler
}

/** A resource or template ready to be listed and read. */
export interface ResourceEntry extends ResourceSource {
  readonly listed: Resource | ResourceTemplate
  /** Absent for a fixed URI. */
  readonly template?: RegisteredTemplate
}

/** A valid template; its matcher is made when something is read. */
export interface RegisteredTemplate {
  readonly compiled: CompiledTemplate
  readonly variables: readonly string[]
}

export function prepareResource(source: ResourceSource): ResourceEntry {
  const { name: uri, config } = source
  const { name = uri, mimeType, size, annotations } = config
  const common = {
    name,
    ...describe(config),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
  }
  const feature = `resource ${JSON.stringify(uri)}`
  const problem = cacheHintProblem(config.cache)
  if (problem !== undefined) throw invalidDefinition(feature, problem)
  if (isUriTemplate(uri)) {
    const parts = parseTemplateParts(uri)
    const template = { compiled: compileTemplate(uri, parts), variables: variablesOf(parts) }
    if (!mayHaveScheme(uri))
      throw invalidDefinition(feature, 'a URI has a scheme, as in notes://{id}')
    return { ...source, template, listed: { uriTemplate: uri, ...common } }
  }
  if (!isUri(uri))
    throw invalidDefinition(feature, 'a URI has a scheme and no spaces (%20), as in notes://1')
  if (config.list) throw invalidDefinition(feature, 'only a template can have a list of members')
  return { ...source, listed: { uri, ...common, ...(size !== undefined && { size }) } }
}

/** The scheme of a template may come from a variable, as in `{+uri}`; a literal one must be valid. */
function mayHaveScheme(template: string): boolean {
  return /^([A-Za-z][A-Za-z0-9+.-]*)?[:{]/.test(template)
}

/** RFC 3986: a scheme, a colon, and no spaces or control characters. */
export function isUri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e\u{a0}-\u{10ffff}]*$/u.test(text)
}

/**
 * The resources that the `list` of a template returned. An invalid one would make clients refuse the whole list: it is left
 * out, and reported at the end.
 */
export async function* templateMembers(
  value: unknown,
  template: string,
  { call }: CallContext,
): AsyncGenerator<Resource> {
  if (!isIterable(value)) {
    const why = 'its list must return an array or an async iterable of resources'
    throw new TypeError(`resource ${template}: ${why}`)
  }
  const problems: string[] = []
  let index = 0
  try {
    for await (const item of value) {
      const problem = resource(item)
      if (problem === undefined) yield item as Resource // just checked
      else problems.push(describeProblem({ ...problem, path: [index, ...problem.path] }))
      index += 1
    }
  } finally {
    if (problems.length > 0) {
      const why = `its list has invalid resources, which are left out: ${summary(problems)}`
      call.caller.onError(new TypeError(`resource ${template}: ${why}`), {
        severity: 'warning',
        operation: call.method,
      })
    }
  }
}

/** A table without names has one problem per row: the first are enough. */
function summary(problems: readonly string[]): string {
  const rest = problems.length - maxShown
  return problems.slice(0, maxShown).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
const maxShown = 5

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return Symbol.iterator in value || Symbol.asyncIterator in value
}
