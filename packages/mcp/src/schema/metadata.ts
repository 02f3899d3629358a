import * as s from './check.ts'
import { isJsonObject } from './json.ts'

/** `_meta`. Keys under `io.modelcontextprotocol/` are refused when an application sets them. */
export interface MetaObject {
  /** Any value, under a key with a prefix such as `com.example/`. */
  readonly [key: string]: unknown
}

/** A picture for people to recognise something by. */
export interface Icon {
  /** An `https:` or `data:` address of the picture. */
  readonly src: string
  /** The type of the picture, if the address does not tell it. */
  readonly mimeType?: string
  /** Sizes it is drawn for, such as `48x48` or `any`. */
  readonly sizes?: readonly string[]
  /** The background it is drawn for. */
  readonly theme?: 'light' | 'dark'
}

/** Which program speaks: a client or a server, by name and version. */
export interface Implementation {
  /** For programs. */
  readonly name: string
  /** Its version, in whatever form the program uses. */
  readonly version: string
  /** For people. */
  readonly title?: string
  /** The purpose, in a sentence. */
  readonly description?: string
  /** Where people read more about it. */
  readonly websiteUrl?: string
  /** Icons to show beside its name. */
  readonly icons?: readonly Icon[]
}

/** The speaker in a conversation. */
export type Role = 'user' | 'assistant'

/** Hints about who content is for and how much it matters. */
export interface Annotations {
  /** The intended audience. */
  readonly audience?: readonly Role[]
  /** From 0, may be left out, to 1, needed. */
  readonly priority?: number
  /** When it last changed, as an ISO 8601 time. */
  readonly lastModified?: string
}

/** Any `_meta`. */
export const meta = s.is<MetaObject>('an object', isJsonObject)
/** `_meta` of a result, a notification or an item. One for all: it keeps a client's bundle small. */
export const optionalMeta = s.optional(meta)
/** The role of the speaker. */
export const role = s.oneOf<Role>(['user', 'assistant'])

/** Hints on content. */
export const annotations = s.object<Annotations>({
  audience: s.optional(s.array(role)),
  priority: s.optional(s.range(0, 1)),
  lastModified: s.optional(s.string),
})

/** An icon. Its address is checked when it is shown. */
export const icon = s.object<Icon>({
  src: s.string,
  mimeType: s.optional(s.string),
  sizes: s.optional(s.array(s.string)),
  theme: s.optional(s.oneOf(['light', 'dark'])),
})

/** `clientInfo` and `serverInfo`. */
export const implementation = s.object<Implementation>({
  name: s.string,
  version: s.string,
  title: s.optional(s.string),
  description: s.optional(s.string),
  websiteUrl: s.optional(s.string),
  icons: s.optional(s.array(icon)),
})

const label = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i
const name = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)?$/i

/** Returns why a key of `_meta` is invalid, or undefined. A key is an optional prefix (dotted labels and a slash), then a name. */
export function metaKeyProblem(key: string): string | undefined {
  const slash = key.indexOf('/')
  const labels = slash === -1 ? [] : key.slice(0, slash).split('.')
  if (!labels.every((part) => label.test(part))) {
    return 'each label before the slash begins with a letter, ends with a letter or digit, and has only letters, digits and hyphens'
  }
  if (!name.test(key.slice(slash + 1))) {
    return 'the name begins and ends with a letter or digit, and has only letters, digits, hyphens, underscores and dots'
  }
  return undefined
}

/**
 * Whether the protocol keeps a key of `_meta` for itself. The revisions draw the line differently, so this is all that
 * any of them reserves: `mcp` or `modelcontextprotocol` alone, as the second label, or followed by another.
 */
export function isReservedMetaKey(key: string): boolean {
  const slash = key.indexOf('/')
  if (slash === -1) return false
  const labels = key.slice(0, slash).toLowerCase().split('.')
  return labels.some(
    (part, index) =>
      (part === 'mcp' || part === 'modelcontextprotocol') &&
      (index <= 1 || index < labels.length - 1),
  )
}
