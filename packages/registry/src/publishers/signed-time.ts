import { createPublicKey, ECDH, verify, type KeyObject } from 'node:crypto'

/** A public key that a domain or an operator vouches for. */
export interface ProofKey {
  /** How it signs. */
  readonly algorithm: 'ed25519' | 'ecdsap384'
  /** Base64: 32 bytes for Ed25519, a compressed point of 49 for P-384. */
  readonly publicKey: string
}

/** How far the clocks may differ. */
const maxSkewMs = 15_000
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** Why a time that was signed proves nothing now; undefined if it may. */
export function findTimeProblem(timestamp: string, now: number): string | undefined {
  if (timestamp.length > 40 || !rfc3339.test(timestamp)) {
    return 'the timestamp must be of RFC 3339, such as 2026-01-31T12:00:00Z'
  }
  const time = Date.parse(timestamp)
  if (Math.abs(time - now) <= maxSkewMs) return undefined
  return `the timestamp is more than 15 seconds away from the time here, ${new Date(now).toISOString()}`
}

/** Whether the text was signed with the private half of one of the keys; the signature is in hexadecimal. */
export function isSigned(text: string, signature: string, keys: readonly ProofKey[]): boolean {
  if (!/^(?:[0-9a-f]{2}){1,200}$/i.test(signature)) return false
  const bytes = Buffer.from(signature, 'hex')
  return keys.some((key) => isSignedBy(Buffer.from(text, 'utf8'), bytes, key))
}

function isSignedBy(text: Buffer, signature: Buffer, { algorithm, publicKey }: ProofKey): boolean {
  try {
    const raw = Buffer.from(publicKey, 'base64')
    switch (algorithm) {
      case 'ed25519':
        if (raw.length !== 32 || signature.length !== 64) return false
        return verify(null, text, spki(ed25519Spki, raw), signature)
      case 'ecdsap384': {
        if (raw.length !== 49 || signature.length !== 96) return false
        const point = ECDH.convertKey(raw, 'secp384r1', undefined, undefined, 'uncompressed')
        const key = spki(p384Spki, Buffer.from(point))
        return verify('sha384', text, { key, dsaEncoding: 'ieee-p1363' }, signature)
      }
    }
  } catch {
    return false // not a key, not a point of the curve
  }
}

const ed25519Spki = Buffer.from('302a300506032b6570032100', 'hex')
const p384Spki = Buffer.from('3076301006072a8648ce3d020106052b81040022036200', 'hex')

function spki(prefix: Buffer, raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([prefix, raw]), format: 'der', type: 'spki' })
}

/** Keys of a record `v=MCPv1; k=ed25519; p=…`, one per line; other lines are skipped. */
export function readKeyRecords(records: readonly string[]): readonly ProofKey[] {
  return records.flatMap((record) => {
    const found = /^\s*v=MCPv1;\s*k=(ed25519|ecdsap384);\s*p=([A-Za-z0-9+/]+={0,2})\s*;?\s*$/.exec(
      record,
    )
    const [, algorithm, publicKey] = found ?? []
    if ((algorithm !== 'ed25519' && algorithm !== 'ecdsap384') || publicKey === undefined) return []
    return [{ algorithm, publicKey }]
  })
}

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const domainForm = new RegExp(`^${label}(?:\\.${label})+$`)

/** Labels of letters, digits and inner hyphens, and at least two of them; no address. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && domainForm.test(text) && !/\.\d+$/.test(text)
}
