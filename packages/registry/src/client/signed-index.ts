import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'

import { canonicalJson } from '@parley/mcp/json'
import * as v from 'valibot'

import type { PublisherKey } from './publisher-key.ts'

/** One version in an index: name, version, status, and the SHA-256 of its document as canonical JSON (RFC 8785). */
export type IndexEntry = readonly [name: string, version: string, status: string, hash: string]

/** What a registry says it has, signed: a copy of it can be compared, wherever it came from. */
export interface SignedIndex {
  /** The version of this format. */
  readonly format: 'parley-registry-index-v1'
  /** When it was made, and the number of the last change in it: a later index has a higher one. */
  readonly at: string
  /** The number of the last change in it; a later index has a higher one. */
  readonly sequence: number
  /** How many entries it has. */
  readonly count: number
  /** SHA-256 in hexadecimal over all entries, in their order. */
  readonly digest: string
  /** How it is signed. */
  readonly algorithm: 'ed25519'
  /** The first 16 digits of the SHA-256 of the public key. */
  readonly keyId: string
  /** Raw, in base64. Believe the key you know, not this one. */
  readonly publicKey: string
  /** Over {@link signedText}, in base64. */
  readonly signature: string
  /** Every version, with the digest of its document. */
  readonly entries: readonly IndexEntry[]
}

/** The hash of a document, however its copy is formatted. */
export function documentHash(document: object): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex')
}

/** Each entry as a line: its four values as a JSON array without spaces, and a line feed. */
export function digestOf(entries: readonly IndexEntry[]): string {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${JSON.stringify(entry)}\n`)
  return hash.digest('hex')
}

/** What is signed: five lines, each with a line feed at its end. */
export function signedText({
  at,
  sequence,
  count,
  digest,
}: Pick<SignedIndex, 'at' | 'sequence' | 'count' | 'digest'>): string {
  return `parley-registry-index-v1\n${at}\n${sequence}\n${count}\n${digest}\n`
}

/** Signs what a registry has. The key must be Ed25519. */
export function signIndex(
  entries: readonly IndexEntry[],
  { at, sequence }: { readonly at: string; readonly sequence: number },
  key: PublisherKey,
): SignedIndex {
  if (key.algorithm !== 'ed25519') {
    throw new TypeError('an index is signed with an Ed25519 key: 64 hexadecimal digits')
  }
  const stated = { at, sequence, count: entries.length, digest: digestOf(entries) }
  const signature = Buffer.from(key.sign(signedText(stated)), 'hex').toString('base64')
  const { publicKey } = key
  return {
    format: 'parley-registry-index-v1',
    ...stated,
    algorithm: 'ed25519',
    keyId: keyIdOf(publicKey),
    publicKey,
    signature,
    entries,
  }
}

/** A short name for a public key in base64. */
export function keyIdOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16)
}

/** Why an index is not to be believed; undefined if it was signed with this key and nothing was changed since. */
export function findIndexProblem(value: unknown, publicKey: string): string | undefined {
  if (!isIndex(value)) return 'it is not an index of a registry'
  const { count, entries, digest, signature, keyId } = value
  if (entries.length !== count || digestOf(entries) !== digest) {
    return 'its entries are not those that were signed'
  }
  const key = readPublicKey(publicKey)
  if (key === undefined) return 'the key is not a public Ed25519 key in base64'
  const text = Buffer.from(signedText(value))
  if (verify(null, text, key, Buffer.from(signature, 'base64'))) return undefined
  return `it was not signed with the key ${keyIdOf(publicKey)}; it names the key ${keyId.slice(0, 16)}`
}

/** Whether a value has the shape of an index; nothing of it is believed yet. */
export function isIndex(value: unknown): value is SignedIndex {
  return v.is(indexSchema, value)
}

const whole = v.pipe(v.number(), v.safeInteger())
const indexSchema = v.looseObject({
  format: v.literal('parley-registry-index-v1'),
  algorithm: v.literal('ed25519'),
  at: v.string(),
  digest: v.string(),
  keyId: v.string(),
  publicKey: v.string(),
  signature: v.string(),
  sequence: whole,
  count: whole,
  entries: v.array(v.strictTuple([v.string(), v.string(), v.string(), v.string()])),
})

const ed25519Spki = Buffer.from('302a300506032b6570032100', 'hex')

function readPublicKey(publicKey: string): KeyObject | undefined {
  const raw = Buffer.from(publicKey, 'base64')
  if (raw.length !== 32) return undefined
  try {
    return createPublicKey({ key: Buffer.concat([ed25519Spki, raw]), format: 'der', type: 'spki' })
  } catch {
    return undefined // not a point of the curve
  }
}
