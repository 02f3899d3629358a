import { createECDH, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

/** A private key of a publisher. */
export interface PublisherKey {
  /** How it signs. */
  readonly algorithm: 'ed25519' | 'ecdsap384'
  /** Base64, as records of DNS have it. */
  readonly publicKey: string
  /** What to put into a TXT record, or below `/.well-known`. */
  readonly record: string
  /** The signature in hexadecimal. */
  readonly sign: (text: string) => string
}

/** Reads a key in hexadecimal: 64 digits are Ed25519, 96 are P-384. */
export function readPublisherKey(hex: string): PublisherKey {
  const digits = hex.trim()
  if (!/^(?:[0-9a-f]{64}|[0-9a-f]{96})$/i.test(digits)) {
    throw new TypeError(
      'a private key has 64 hexadecimal digits (Ed25519) or 96 (P-384): for example from openssl rand -hex 32',
    )
  }
  const bytes = Buffer.from(digits, 'hex')
  return bytes.length === 32 ? ed25519Key(bytes) : p384Key(bytes)
}

function ed25519Key(seed: Buffer): PublisherKey {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return keyOf('ed25519', raw, (text) => sign(null, text, key))
}

function p384Key(secret: Buffer): PublisherKey {
  const curve = createECDH('secp384r1')
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  const key: KeyObject = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-384',
      x: point.subarray(1, 49).toString('base64url'),
      y: point.subarray(49).toString('base64url'),
      d: secret.toString('base64url'),
    },
  })
  const compressed = curve.getPublicKey(null, 'compressed')
  return keyOf('ecdsap384', compressed, (text) =>
    sign('sha384', text, { key, dsaEncoding: 'ieee-p1363' }),
  )
}

function keyOf(
  algorithm: PublisherKey['algorithm'],
  raw: Buffer,
  signBytes: (text: Buffer) => Buffer,
): PublisherKey {
  const publicKey = raw.toString('base64')
  return {
    algorithm,
    publicKey,
    record: `v=MCPv1; k=${algorithm}; p=${publicKey}`,
    sign: (text) => signBytes(Buffer.from(text, 'utf8')).toString('hex'),
  }
}
