import { encodeBase64 } from './base64.ts'
import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from './content.ts'
import type { Annotations, MetaObject } from './metadata.ts'
import type { Resource } from './resources.ts'

/** Members that every content block may have besides its content. */
export interface BlockOptions {
  /** Hints about the audience and importance. */
  readonly annotations?: Annotations | undefined
  /** Extra data, under keys with a prefix of your own. */
  readonly _meta?: MetaObject | undefined
}

/** A text block. */
export function text(content: string, options?: BlockOptions): TextContent {
  return { type: 'text', text: content, ...extras(options) }
}

/** An image block. Base64 is done here; a string is taken as base64 already. */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  options?: BlockOptions,
): ImageContent {
  return { type: 'image', data: toBase64(data), mimeType, ...extras(options) }
}

/** An audio block. Base64 is done here; a string is taken as base64 already. */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  options?: BlockOptions,
): AudioContent {
  return { type: 'audio', data: toBase64(data), mimeType, ...extras(options) }
}

/** A resource inside the answer. Strings become `text`, bytes `blob`; the media type is always sent. */
export function embed(
  uri: string,
  data: string | Uint8Array,
  options: BlockOptions & { readonly mimeType?: string | undefined } = {},
): EmbeddedResource {
  const resource =
    typeof data === 'string'
      ? { uri, mimeType: options.mimeType ?? 'text/plain', text: data }
      : {
          uri,
          mimeType: options.mimeType ?? 'application/octet-stream',
          blob: encodeBase64(data),
        }
  return { type: 'resource', resource, ...extras(options) }
}

/** A pointer to a resource the client may read. */
export function resourceLink(resource: Resource): ResourceLink {
  return { type: 'resource_link', ...resource }
}

/** A plain value to be sent as JSON text. */
export interface Json {
  readonly '~json': unknown
}

/** A plain value to be sent as JSON text, where no `outputSchema` describes it. */
export function json(value: unknown): Json {
  return { '~json': value }
}

/** Tells a value made by {@link json} from other objects. */
export function isJson(value: object): value is Json {
  return '~json' in value
}

/** The main member of each type of block. */
const mainMembers: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['image', 'data'],
  ['audio', 'data'],
  ['resource_link', 'uri'],
  ['resource', 'resource'],
])

/** Tells a content block from other objects by its `type`. */
export function isContentBlock(value: object): value is ContentBlock {
  return 'type' in value && mainMembers.has(value.type)
}

/** Whether a block has what it is about; programs without a compiler make some without. */
export function isWhole(block: ContentBlock): boolean {
  const main: unknown = Reflect.get(block, mainMembers.get(block.type) ?? '')
  return typeof main === (block.type === 'resource' ? 'object' : 'string')
}

function toBase64(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : encodeBase64(data)
}

function extras(options: BlockOptions | undefined): {
  annotations?: Annotations
  _meta?: MetaObject
} {
  return {
    ...(options?.annotations && { annotations: options.annotations }),
    ...(options?._meta && { _meta: options._meta }),
  }
}
