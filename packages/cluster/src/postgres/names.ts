import { createHash } from 'node:crypto'

/** Short and printable names are stored as they are. Others would not fit into an index, or not into a database's encoding. */
const plain = /^(?!sha256:)[\x20-\x7e]{0,200}$/

/** A name as a column of the primary key. Different names never become the same. */
export function keyOf(name: string): string {
  return plain.test(name) ? name : `sha256:${createHash('sha256').update(name).digest('base64url')}`
}

/** A text as bytes: PostgreSQL's own texts cannot contain U+0000. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text)
}

/** The text that was stored as bytes. */
export function textOf(bytes: unknown): string {
  return Buffer.isBuffer(bytes) ? bytes.toString() : ''
}

/** Texts that were stored as a list of bytes. */
export function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map(textOf) : []
}

/** A schema's name between quotation marks. */
export function quoteSchema(schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new Error(
      `schema ${JSON.stringify(schema)} is invalid: use at most 63 lower-case letters, digits and underscores`,
    )
  }
  return `"${schema}"`
}
