import {
  allowInsecureRequests,
  customFetch,
  DPoP,
  generateKeyPair,
  protectedResourceRequest,
  type DPoPHandle,
} from 'oauth4webapi'

import type { PrivateJwk } from '../options.ts'

/** A key that tokens are bound to (RFC 9449), and the nonces it was given. */
export interface DpopKey {
  readonly handle: DPoPHandle
  /** For the store; private. */
  readonly jwk: PrivateJwk
  /** Both headers of one request, with a proof made for it alone. */
  headers(token: string, method: string, url: URL): Promise<{ readonly [name: string]: string }>
  /** Stores the nonce that the server requires in the next proofs. */
  keepNonce(url: URL, nonce: string): Promise<void>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A new key; ES256, which every issuer that can do this can. */
export async function createDpopKey(): Promise<DpopKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return restoreDpopKey((await crypto.subtle.exportKey('jwk', privateKey)) as PrivateJwk) // an EC key has kty
}

/** A key as it was kept. */
export async function restoreDpopKey(jwk: PrivateJwk): Promise<DpopKey> {
  const { d: _, key_ops: __, ext: ___, ...open } = jwk
  const { key_ops: ____, ext: _____, ...closed } = jwk
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', closed, algorithm, false, ['sign']),
    crypto.subtle.importKey('jwk', open, algorithm, true, ['verify']),
  ])
  const handle = DPoP({}, { privateKey, publicKey })

  /** The library proves requests only while it sends them: this sends nowhere, and looks at what would have gone out. */
  async function pretend(token: string, method: string, url: URL, answer: Response) {
    let sent = new Headers()
    await protectedResourceRequest(token, method, url, undefined, undefined, {
      DPoP: handle,
      [allowInsecureRequests]: true,
      [customFetch]: async (_url, { headers }) => {
        sent = new Headers(headers)
        return answer
      },
    })
    return sent
  }

  return {
    handle,
    jwk,
    async headers(token, method, url) {
      const sent = await pretend(token, method, url, new Response())
      return { authorization: sent.get('authorization') ?? '', dpop: sent.get('dpop') ?? '' }
    },
    async keepNonce(url, nonce) {
      await pretend('-', 'GET', url, new Response(null, { headers: { 'dpop-nonce': nonce } }))
    },
  }
}
