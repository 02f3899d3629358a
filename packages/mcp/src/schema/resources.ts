/**
 * Types and checks of resources on the wire: resources, templates, contents, and the params and results of `resources/*`. Features of the
 * server are in `server/resources/`.
 */

import * as s from './check.ts'
import type { InputResponseParams } from './input/input.ts'
import {
  annotations,
  icon,
  type Annotations,
  type Icon,
  type MetaObject,
  optionalMeta,
} from './metadata.ts'
import { cacheShape, pageShape, type Listed } from './pagination.ts'
import type { RequestMeta } from './progress.ts'

/** Something that can be read, as `resources/list` describes it. */
export interface Resource {
  /** The URI for `resources/read`. */
  readonly uri: string
  /** For programs. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** For the model. */
  readonly description?: string
  /** The media type, such as `text/plain` or `image/png`. */
  readonly mimeType?: string
  /** Bytes, before any base64. */
  readonly size?: number
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations
  /** Icons to show beside the name. */
  readonly icons?: readonly Icon[]
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** A family of resources, named by a URI template of RFC 6570. */
export interface ResourceTemplate {
  /** The template, such as `file:///{path}`. */
  readonly uriTemplate: string
  /** For programs. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** For the model. */
  readonly description?: string
  /** Only where every resource of the family has it. */
  readonly mimeType?: string
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations
  /** Icons to show beside the name. */
  readonly icons?: readonly Icon[]
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** Contents that are text. */
export interface TextResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
  readonly _meta?: MetaObject
}

/** Contents that are bytes. */
export interface BlobResourceContents {
  readonly uri: string
  readonly mimeType?: string
  /** Base64. */
  readonly blob: string
  readonly _meta?: MetaObject
}

/** The contents of a resource, or of a part of it. */
export type ResourceContents = TextResourceContents | BlobResourceContents

/** One page of resources. */
export type ListResourcesResult = Listed<'resources', Resource>

/** One page of resource templates. */
export type ListResourceTemplatesResult = Listed<'resourceTemplates', ResourceTemplate>

/** Params of `resources/read`. */
export interface ReadResourceRequestParams extends InputResponseParams {
  readonly uri: string
  readonly _meta?: RequestMeta
}

/** The answer to `resources/read`: more than one entry where the URI names a collection. */
export interface ReadResourceResult {
  /** One entry per file or part, each with its own URI. */
  readonly contents: readonly ResourceContents[]
  /** How long the contents may be kept. */
  readonly ttlMs?: number
  /** Whether they may be kept for others too. */
  readonly cacheScope?: 'public' | 'private'
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** Params of `resources/subscribe`. */
export interface SubscribeRequestParams {
  readonly uri: string
  readonly _meta?: RequestMeta
}

/** Params of `resources/unsubscribe`. */
export interface UnsubscribeRequestParams {
  readonly uri: string
  readonly _meta?: RequestMeta
}

/** Params of `notifications/resources/updated`; the URI may be below the one subscribed to. */
export interface ResourceUpdatedNotificationParams {
  readonly uri: string
  readonly _meta?: MetaObject
}

/** A resource in a list or a link. */
export const resource = s.object<Resource>({
  uri: s.string,
  name: s.string,
  title: s.optional(s.string),
  description: s.optional(s.string),
  mimeType: s.optional(s.string),
  size: s.optional(s.integer),
  annotations: s.optional(annotations),
  icons: s.optional(s.array(icon)),
  _meta: optionalMeta,
})

const resourceTemplate = s.object<ResourceTemplate>({
  uriTemplate: s.string,
  name: s.string,
  title: s.optional(s.string),
  description: s.optional(s.string),
  mimeType: s.optional(s.string),
  annotations: s.optional(annotations),
  icons: s.optional(s.array(icon)),
  _meta: optionalMeta,
})

const textResourceContents = s.object<TextResourceContents>({
  uri: s.string,
  mimeType: s.optional(s.string),
  text: s.string,
  _meta: optionalMeta,
})

const blobResourceContents = s.object<BlobResourceContents>({
  uri: s.string,
  mimeType: s.optional(s.string),
  blob: s.string,
  _meta: optionalMeta,
})

/** Text or bytes. */
export const resourceContents = s.keyed<ResourceContents, 'text' | 'blob'>(
  { text: textResourceContents, blob: blobResourceContents },
  s.is('an object with text or blob', () => false),
)

/** Result of `resources/list`. */
export const listResourcesResult = s.object<ListResourcesResult>(
  s.fields({ resources: s.array(resource) }, pageShape),
)

/** Result of `resources/templates/list`. */
export const listResourceTemplatesResult = s.object<ListResourceTemplatesResult>(
  s.fields({ resourceTemplates: s.array(resourceTemplate) }, pageShape),
)

/** Result of `resources/read`. */
export const readResourceResult = s.object<ReadResourceResult>(
  s.fields(cacheShape, { contents: s.array(resourceContents), _meta: optionalMeta }),
)

/** Params of `notifications/resources/updated`. */
export const resourceUpdatedParams = s.object<ResourceUpdatedNotificationParams>({
  uri: s.string,
  _meta: optionalMeta,
})
