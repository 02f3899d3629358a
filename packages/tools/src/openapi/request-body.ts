import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { objectOf } from './operations.ts'
import { queryPairs, type Pair } from './serialize.ts'

/** How a body is written. */
export interface BodyFormat {
  readonly kind: 'json' | 'form' | 'multipart' | 'text'
  /** The content type as sent; a multipart body sets its own. */
  readonly contentType: string
  readonly schema: JsonValue | undefined
  readonly encoding: JsonObject
  readonly required: boolean
}

/** The first format of a body that we can write; undefined if there is none. */
export function bodyFormat(body: JsonObject): BodyFormat | undefined {
  const media = Object.entries(objectOf(body['content']))
  for (const [kind, isKind] of kinds) {
    const found = media.find(([type]) => isKind(typeOf(type)))
    if (found === undefined) continue
    const [type, described] = found
    const { schema, encoding } = objectOf(described)
    return {
      kind,
      contentType: type.includes('*') ? usualType[kind] : type,
      schema,
      encoding: objectOf(encoding),
      required: body['required'] === true,
    }
  }
  return undefined
}

const kinds: readonly (readonly [BodyFormat['kind'], (type: string) => boolean])[] = [
  ['json', (type) => isJsonType(type)],
  ['form', (type) => type === 'application/x-www-form-urlencoded'],
  ['multipart', (type) => type === 'multipart/form-data'],
  ['json', (type) => type === '*/*' || type === 'application/*'],
  ['text', (type) => type.startsWith('text/')],
]

const usualType = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
} as const

/** `application/json`, and those that end in `+json`. */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

/** A media type without its parameters. */
export function typeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

/** A body as text, so that every `fetch` can send it. */
export interface WrittenBody {
  readonly body: string
  readonly contentType: string
}

/** Writes the value of a body. */
export async function writeBody(format: BodyFormat, value: JsonValue): Promise<WrittenBody> {
  const { kind, contentType } = format
  switch (kind) {
    case 'json':
      return { body: JSON.stringify(value), contentType }
    case 'text':
      return { body: typeof value === 'string' ? value : JSON.stringify(value), contentType }
    case 'form': {
      const pairs = formPairs(format, value)
      return { body: new URLSearchParams(pairs.map(([...pair]) => pair)).toString(), contentType }
    }
    case 'multipart':
      return multipart(value)
  }
}

function formPairs({ encoding }: BodyFormat, value: JsonValue): readonly Pair[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return []
    const { style, explode } = objectOf(encoding[name])
    const isPlain = style === undefined && isJsonObject(member)
    const used = typeof style === 'string' ? style : isPlain ? 'deepObject' : 'form'
    return queryPairs({ name, style: used, explode: explode !== false }, member)
  })
}

async function multipart(value: JsonValue): Promise<WrittenBody> {
  const form = new FormData()
  for (const [name, member] of Object.entries(objectOf(value))) {
    const parts: readonly unknown[] = Array.isArray(member) ? member : [member]
    for (const part of parts) {
      if (part === undefined) continue
      form.append(name, typeof part === 'string' ? part : JSON.stringify(part))
    }
  }
  const written = new Response(form) // chooses the boundary
  return { body: await written.text(), contentType: written.headers.get('content-type') ?? '' }
}
