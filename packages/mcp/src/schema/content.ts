import * as s from './check.ts'
import { annotations, type Annotations, type MetaObject, optionalMeta } from './metadata.ts'
import { resource, resourceContents, type Resource, type ResourceContents } from './resources.ts'

/** Words. */
export interface TextContent {
  /** Says that the block is text. */
  readonly type: 'text'
  /** The text. */
  readonly text: string
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** A picture. */
export interface ImageContent {
  /** Says that the block is an image. */
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  /** The media type, such as `text/plain` or `image/png`. */
  readonly mimeType: string
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** A sound. */
export interface AudioContent {
  /** Says that the block is audio. */
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  /** The media type, such as `text/plain` or `image/png`. */
  readonly mimeType: string
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** A link to a resource, which the client may read. */
export interface ResourceLink extends Resource {
  /** Says that the block is a link. */
  readonly type: 'resource_link'
}

/** A resource with its contents, inside an answer or a message. */
export interface EmbeddedResource {
  /** Says that the block is a resource with its contents. */
  readonly type: 'resource'
  /** The contents, with URI and type. */
  readonly resource: ResourceContents
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
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
