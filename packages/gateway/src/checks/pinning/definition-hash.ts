import { createHash } from 'node:crypto'

import { canonicalJson } from '@parley/mcp/json'

import type { Subject } from '../check.ts'

/** Definitions stay the same objects between lists, and lists are asked for often. */
const hashes = new WeakMap<object, string>()

/** SHA-256 over everything a server says of a tool or prompt, in canonical JSON. */
export function definitionHash(definition: NonNullable<Subject['definition']>): string {
  const hash = hashes.get(definition) ?? sha256(canonicalJson(definition))
  hashes.set(definition, hash)
  return hash
}

/** Names one definition of one thing: whoever approves it approves nothing else. */
export function quarantineId({ upstream, kind, name }: PinnedName, hash: string): string {
  return sha256(canonicalJson([upstream, kind, name, hash])).slice(0, 16)
}

/** The name that a pin belongs to. */
export interface PinnedName {
  readonly upstream: string
  readonly kind: string
  readonly name: string
}

export function keyOf({ upstream, kind, name }: PinnedName): string {
  return JSON.stringify([upstream, kind, name])
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
