import { createHash } from 'node:crypto'

import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
} from 'jose'

import { resource } from './signing-issuer.ts'

export interface ProofKey {
  readonly privateKey: CryptoKey
  readonly jwk: JWK
  readonly jkt: string
}

export async function createProofKey(): Promise<ProofKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) }
}

/** A good proof for a POST to the resource, unless told otherwise. */
export function prove(
  { privateKey, jwk }: ProofKey,
  token: string,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const all = {
    jti: crypto.randomUUID(),
    htm: 'POST',
    htu: resource,
    iat: Math.floor(Date.now() / 1000),
    ath: createHash('sha256').update(token).digest('base64url'),
    ...claims,
  }
  const kept = Object.entries(all).filter(([, value]) => value !== undefined)
  return new SignJWT(Object.fromEntries(kept))
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(privateKey)
}

export const dpop = (token: string, proof: string) => ({
  authorization: `DPoP ${token}`,
  dpop: proof,
})
