/**
 * Names for the types of a generated module: equal definitions share one declaration, and different ones with the same name are numbered.
 */

import { isJsonObject } from '@parley/mcp/json'

import { findReference, referencesIn } from './schema-reference.ts'
import {
  createTypeWriter,
  unknownType,
  whole,
  type TypeStyle,
  type TypeText,
  type TypeWriter,
} from './type-text.ts'

/** A type that other types may call by its name. */
export interface NamedType {
  /** Undefined until it stands somewhere. */
  name: string | undefined
  /** The name that it would like. */
  readonly wanted: string
  /** The schema that it is written from. */
  readonly schema: unknown
  /** Whether writing it has begun: it may contain itself. */
  isBegun: boolean
  /** Undefined until it is written. */
  type: TypeText | undefined
  /** Those it is made of without an object or a list in between. */
  readonly direct: Set<NamedType>
}

/** A type under its name. */
export interface TypeDeclaration {
  /** The name. */
  readonly name: string
  /** The whole declaration, exported in a module of its own. */
  readonly text: string
  /** The type alone. */
  readonly type: string
}

/** The named types of one module. */
export interface NamedTypes {
  /** Writes in the style of this module. */
  readonly writer: TypeWriter
  /** Returns the target of a reference; the same for equal definitions of several documents. Undefined if there are too many. */
  find(root: unknown, reference: string): NamedType | undefined
  /** A document as a whole, which its own parts may refer to. */
  document(root: unknown, wanted: string): NamedType
  /** How to call a type: by its name, or by what it says where that is one word. */
  call(type: NamedType): TypeText
  /** A name that no type has yet. */
  newName(wanted: string): string
  /** In order of their names, as they are written. */
  declarations(): readonly TypeDeclaration[]
}

const maxTypes = 500
/** The length above which definitions are not compared with those of other documents. */
const maxCompared = 200_000
const reserved = ['Tools', 'Prompts', 'Record']

/** No types yet. */
export function createNamedTypes(style: TypeStyle): NamedTypes {
  const writer = createTypeWriter(style)
  const types = new Map<string, NamedType>()
  const names = new Set(reserved)
  const documents = new Map<unknown, { readonly type: NamedType; readonly mark: string }>()

  function create(text: string, schema: unknown): NamedType {
    const wanted = typeName(text)
    const begin = { name: undefined, type: undefined, isBegun: false }
    return { ...begin, wanted, schema, direct: new Set() }
  }

  function nameFor(wanted: string): string {
    let name = wanted
    for (let count = 2; names.has(name); count += 1) name = `${wanted}${count}`
    names.add(name)
    return name
  }

  return {
    writer,
    newName: (wanted) => nameFor(typeName(wanted)),
    find(root, reference) {
      const schema = findReference(root, reference)
      const document = documents.get(root)
      if (schema === root && document !== undefined) return document.type
      const key = `${document?.mark ?? ''}${reference}${document?.mark ? '' : meaningOf(root, reference)}`
      const existing = types.get(key)
      if (existing !== undefined || types.size >= maxTypes) return existing
      const type = create(reference, schema)
      types.set(key, type)
      return type
    },
    document(root, wanted) {
      const existing = documents.get(root)
      if (existing !== undefined) return existing.type
      const type = create(wanted, root)
      const isLong = (JSON.stringify(root) ?? '').length > maxCompared
      documents.set(root, { type, mark: isLong ? `${documents.size} ` : '' })
      return type
    },
    call(type) {
      const { type: written, name } = type
      if (name === undefined && written !== undefined && /^\w+$/.test(written.text)) return written
      type.name ??= nameFor(type.wanted)
      return whole(type.name)
    },
    declarations() {
      const all = [...types.values(), ...[...documents.values()].map(({ type }) => type)]
      return all
        .flatMap((type) => (type.name === undefined ? [] : [{ ...type, name: type.name }]))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map((type) => declare(type, writer))
    },
  }
}

function declare(
  { name, schema, type = unknownType }: NamedType & { readonly name: string },
  writer: TypeWriter,
): TypeDeclaration {
  const comment = isJsonObject(schema) ? writer.commentOf(schema['description']) : ''
  const isInterface = type.isWhole && type.text.startsWith('{')
  const text = isInterface
    ? `${comment}export interface ${name} ${type.text}`
    : `${comment}export type ${name} = ${type.text}`
  return { name, text, type: type.text }
}

/** Everything that a definition says, also by what it refers to: equal texts are equal types. */
function meaningOf(root: unknown, reference: string): string {
  const parts = new Map<string, unknown>()
  const waiting = [reference]
  for (const next of waiting) {
    if (parts.has(next)) continue
    const part = findReference(root, next)
    parts.set(next, part)
    waiting.push(...referencesIn(part))
  }
  const ordered = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(ordered)
}

/** `#/$defs/postal-address` is a `PostalAddress`. */
function typeName(text: string): string {
  const last = text.split('/').at(-1) ?? ''
  const words = last.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const name = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
  const short = name.slice(0, 60)
  return /^[A-Z]/.test(short) ? short : `Type${short}`
}

/** Whether a type is made of another with nothing in between that may hold itself. */
export function consistsOf(
  type: NamedType,
  other: NamedType,
  seen = new Set<NamedType>(),
): boolean {
  if (type === other) return true
  if (seen.has(type)) return false
  seen.add(type)
  return [...type.direct].some((part) => consistsOf(part, other, seen))
}
