import type { Annotations, Icon, MetaObject } from './metadata.ts'
import type { Listed } from './pagination.ts'
import type { RequestMeta } from './progress.ts'

/** Something that can be read, as `resources/list` describes it. */
export interface Resource {
  readonly uri: string
  /** For programs. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** For the model. */
  readonly description?: string
  readonly mimeType?: string
  /** Bytes, before any base64. */
  readonly size?: number
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  readonly _meta?: MetaObject
}

/** A family of resources, named by a URI template of RFC 6570. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  /** For programs. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** For the model. */
  readonly description?: string
  /** Only where every resource of the family has it. */
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
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

/** What a resource, or a part of it, holds. */
export type ResourceContents = TextResourceContents | BlobResourceContents

/** One page of resources. */
export type ListResourcesResult = Listed<'resources', Resource>

/** One page of resource templates. */
export type ListResourceTemplatesResult = Listed<'resourceTemplates', ResourceTemplate>

/** What `resources/read` asks for. */
export interface ReadResourceRequestParams {
  readonly uri: string
  readonly _meta?: RequestMeta
}

/** The answer to `resources/read`: more than one entry where the URI names a collection. */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  readonly _meta?: MetaObject
}

/** What `resources/subscribe` asks for. */
export interface SubscribeRequestParams {
  readonly uri: string
  readonly _meta?: RequestMeta
}

/** What `resources/unsubscribe` asks for. */
export interface UnsubscribeRequestParams {
  readonly uri: string
  readonly _meta?: RequestMeta
}

/** What `notifications/resources/updated` says; the URI may be below the one subscribed to. */
export interface ResourceUpdatedNotificationParams {
  readonly uri: string
  readonly _meta?: MetaObject
}
