import { expect, test } from 'vitest'

import { createDpopKey } from '../../src/client/tokens/dpop.ts'
import { parseChallenges } from '../../src/shared/challenge.ts'
import { createProofKey, dpop, prove } from './proofs.ts'
import { challengeOf, openProtected, whoOf } from './protected-server.ts'
import { resource } from './signing-issuer.ts'

test('a bound token works with a proof by its key, and handlers see the key', async () => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })

  const answer = await server.call('who', { headers: dpop(token, await prove(key, token)) })

  expect(await whoOf(answer)).toMatchObject({ confirmation: { jkt: key.jkt } })
})

test('our client proves what our server wants', async () => {
  await using server = await openProtected()
  const key = await createDpopKey()
  const { calculateJwkThumbprint } = await import('jose')
  const { d: _, ...open } = key.jwk
  const jkt = await calculateJwkThumbprint(open)
  const token = await server.issuer.sign({ cnf: { jkt } })

  const headers = await key.headers(token, 'POST', new URL(`${resource}?a=b`))

  expect((await server.call('who', { headers: { ...headers } })).status).toBe(200)
})

test('a proof may name the address as it was asked for, without its query', async () => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })
  const status = async (htu: string) =>
    (await server.call('who', { headers: dpop(token, await prove(key, token, { htu })) })).status

  expect(await status(`${resource}?x=1#y`)).toBe(200)
  expect(await status('HTTPS://notes.example.com:443/mcp')).toBe(200)
})

test('required: plain tokens are refused, and the challenge says how', async () => {
  await using server = await openProtected({ protect: { dpop: 'required' } })
  const token = await server.issuer.sign()

  const without = await server.call('who')
  const plain = await server.call('who', { token })

  expect([without.status, plain.status]).toEqual([401, 401])
  const [challenge] = parseChallenges(challengeOf(without) ?? undefined)
  expect(challenge?.scheme).toBe('dpop')
  expect(challenge?.parameters.get('algs')).toContain('ES256')
  expect(challenge?.parameters.get('resource_metadata')).toContain('/.well-known/')
})

test('off: the scheme is unknown, and tokens are taken as they are', async () => {
  await using server = await openProtected({ protect: { dpop: 'off' } })
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })

  const proven = await server.call('who', { headers: dpop(token, await prove(key, token)) })
  const plain = await server.call('who', { token })

  expect([proven.status, plain.status]).toEqual([401, 200])
  expect(await whoOf(plain)).not.toHaveProperty('confirmation')
})

test('a bound token that lacks a scope is challenged in its own scheme', async () => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })

  const answer = await server.call('read', { headers: dpop(token, await prove(key, token)) })

  expect(answer.status).toBe(403)
  expect(challengeOf(answer)).toMatch(/^DPoP error="insufficient_scope"/)
})
