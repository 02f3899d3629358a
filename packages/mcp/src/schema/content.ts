import type { Annotations, MetaObject } from './metadata.ts'
import type { Resource, ResourceContents } from './resources.ts'

/** Words. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
  readonly annotations?: Annotations
  readonly _meta?: MetaObject
}

/** A picture. */
export interface ImageContent {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: MetaObject
}

/** A sound. */
export interface AudioContent {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: MetaObject
}

/** A resource by name, to be read by whoever wants it. */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link'
}

/** A resource with its contents, inside an answer or a message. */
export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: ResourceContents
  readonly annotations?: Annotations
  readonly _meta?: MetaObject
}

/** One piece of a tool's answer or of a prompt's message. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource
