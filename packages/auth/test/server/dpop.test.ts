import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'

import {
  ask,
  createBrowser,
  issuer,
  redirectUri,
  requestToken,
  signIn,
  startAuthServer,
} from './harness.ts'

async function createProver() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    prove: (id: string = crypto.randomUUID()) =>
      new SignJWT({ htm: 'POST', htu: `${issuer}/token`, jti: id })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .setIssuedAt()
        .sign(privateKey),
  }
}

async function obtain(dpop: string) {
  const harness = await startAuthServer()
  const asked = ask(issuer)
  const callback = await signIn(createBrowser(harness), asked)
  const form = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    client_id: 'app',
    redirect_uri: redirectUri,
    code_verifier: asked.verifier,
  }
  return { harness, ...(await requestToken(harness, form, { dpop })) }
}

test('a token is bound to the key of who proves to have it', async () => {
  const prover = await createProver()

  const { body } = await obtain(await prover.prove())

  expect(body['token_type']).toBe('DPoP')
  expect(decodeJwt(String(body['access_token']))['cnf']).toEqual({ jkt: prover.thumbprint })
})

test('a refresh token of a public client is bound to the same key', async () => {
  const [prover, thief] = await Promise.all([createProver(), createProver()])
  const { harness, body } = await obtain(await prover.prove())
  const form = {
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
    client_id: 'app',
  }

  const without = await requestToken(harness, form)
  const stolen = await requestToken(harness, form, { dpop: await thief.prove() })
  const rightful = await requestToken(harness, form, { dpop: await prover.prove() })

  expect([without.status, stolen.status, rightful.status]).toEqual([400, 400, 200])
})

test('attack: a proof is good once', async () => {
  const prover = await createProver()
  const proof = await prover.prove('the same')
  const { harness, body } = await obtain(proof)

  const form = {
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
    client_id: 'app',
  }
  const { status } = await requestToken(harness, form, { dpop: proof })

  expect(status).toBe(400)
})
