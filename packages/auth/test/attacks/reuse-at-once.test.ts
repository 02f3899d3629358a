import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  type AuthServerStore,
  createFileAuthServerStore,
  createMemoryAuthServerStore,
} from '@parley/auth/server'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'

import {
  ask,
  createBrowser,
  issuer,
  obtainToken,
  redirectUri,
  requestToken,
  secret,
  signIn,
  startAuthServer,
  type Harness,
} from '../server/harness.ts'

const stores: [string, () => Promise<AuthServerStore>][] = [
  ['memory', async () => createMemoryAuthServerStore()],
  [
    'files',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'auth-at-once-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      return createFileAuthServerStore(folder)
    },
  ],
]

/** Four at the same time, each with another parameter that means nothing here. */
async function fourAtOnce(
  harness: Harness,
  form: Record<string, string>,
  foreign: string,
  headers: Record<string, string> = {},
) {
  return Promise.all(
    [1, 2, 3, 4].map((index) =>
      requestToken(harness, { ...form, [foreign]: `foreign-${index}` }, headers),
    ),
  )
}

function successes(answers: readonly { readonly status: number }[]): number {
  return answers.filter(({ status }) => status === 200).length
}

describe.each(stores)(
  'what is good once comes four times at the same time, kept in %s',
  (_, open) => {
    test.each(['code', 'assertion', 'nothing'])(
      'a refresh token beside %s: one gets a token, and the sign-in ends [ASEC-06] [R0326A-17]',
      async (foreign) => {
        const harness = await startAuthServer({ store: await open() })
        const { body } = await obtainToken(harness)
        const renewal = { grant_type: 'refresh_token', client_id: 'app' }

        const answers = await fourAtOnce(
          harness,
          { ...renewal, refresh_token: String(body['refresh_token']) },
          foreign,
        )
        const [first] = answers.filter(({ status }) => status === 200)
        const next = await requestToken(harness, {
          ...renewal,
          refresh_token: String(first?.body['refresh_token']),
        })

        expect(successes(answers)).toBe(1)
        expect(next.body['error']).toBe('invalid_grant')
      },
    )

    test.each(['refresh_token', 'assertion'])('a code beside %s', async (foreign) => {
      const harness = await startAuthServer({ store: await open() })
      const asked = ask(issuer)
      const callback = await signIn(createBrowser(harness), asked)

      const answers = await fourAtOnce(
        harness,
        {
          grant_type: 'authorization_code',
          code: callback.searchParams.get('code') ?? '',
          client_id: 'app',
          redirect_uri: redirectUri,
          code_verifier: asked.verifier,
        },
        foreign,
      )

      expect(successes(answers)).toBe(1)
    })

    test('the assertion by which a client proves itself', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256')
      const harness = await startAuthServer({
        store: await open(),
        clients: [{ clientId: 'job', keys: [await exportJWK(publicKey)], scopes: ['notes:read'] }],
      })
      const assertion = await new SignJWT({ jti: 'the same' })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('job')
        .setSubject('job')
        .setAudience(issuer)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(privateKey)

      const answers = await fourAtOnce(
        harness,
        {
          grant_type: 'client_credentials',
          client_id: 'job',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        },
        'code',
      )

      expect(successes(answers)).toBe(1)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
    })

    test('a DPoP proof', async () => {
      const harness = await startAuthServer({ store: await open() })
      const { privateKey, publicKey } = await generateKeyPair('ES256')
      const dpop = await new SignJWT({ htm: 'POST', htu: `${issuer}/token`, jti: 'the same' })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(publicKey) })
        .setIssuedAt()
        .sign(privateKey)
      const form = { grant_type: 'client_credentials', client_id: 'robot', client_secret: secret }

      const answers = await fourAtOnce(harness, form, 'code', { dpop })

      expect(successes(answers)).toBe(1)
    })
  },
)
