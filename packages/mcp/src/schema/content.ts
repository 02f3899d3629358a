import * as s from './check.ts'
import { annotations, type Annotations, type MetaObject, optionalMeta } from './metadata.ts'
import { resource, resourceContents, type Resource, type ResourceContents } from './resources.ts'

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

/** A link to a resource, which the client may read. */
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

/** A block of type `text`. */
export const textContent = s.object<TextContent>({
  type: s.literal('text'),
  text: s.string,
  annotations: s.optional(annotations),
  _meta: optionalMeta,
})

/** A block of type `image`. */
export const imageContent = s.object<ImageContent>({
  type: s.literal('image'),
  data: s.string,
  mimeType: s.string,
  annotations: s.optional(annotations),
  _meta: optionalMeta,
})

/** A block of type `audio`. */
export const audioContent = s.object<AudioContent>({
  type: s.literal('audio'),
  data: s.string,
  mimeType: s.string,
  annotations: s.optional(annotations),
  _meta: optionalMeta,
})

/** A block of any type. */
export const contentBlock = s.tagged<ContentBlock, 'type'>('type', {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  resource_link: s.object<ResourceLink>(s.fields({ type: s.literal('resource_link') }, resource)),
  resource: s.object<EmbeddedResource>({
    type: s.literal('resource'),
    resource: resourceContents,
    annotations: s.optional(annotations),
    _meta: optionalMeta,
  }),
})
