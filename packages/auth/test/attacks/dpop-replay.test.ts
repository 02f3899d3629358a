import { createHmac } from 'node:crypto'

import { exportJWK } from 'jose'
import { expect, test } from 'vitest'

import { createReplayed } from '../../src/resource/sender-check.ts'
import { createProofKey, dpop, prove } from '../resource/proofs.ts'
import { challengeOf, openProtected } from '../resource/protected-server.ts'
import { openSigningIssuer } from '../resource/signing-issuer.ts'

const now = () => Math.floor(Date.now() / 1000)

test('a proof works once', async () => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })
  const headers = dpop(token, await prove(key, token))

  const first = await server.call('who', { headers })
  const again = await server.call('who', { headers })

  expect([first.status, again.status]).toEqual([200, 401])
  expect(challengeOf(again)).toContain('error="invalid_dpop_proof"')
  expect(server.ran).toEqual(['who'])
})

test('of many that use it at the same time one gets through', async () => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })
  const headers = dpop(token, await prove(key, token))

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.call('who', { headers })),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a proof that was used at one process does not work at another', async () => {
  await using issuer = await openSigningIssuer()
  const used = new Set<string>()
  const once = { add: async (key: string) => !used.has(key) && Boolean(used.add(key)) }
  await using a = await openProtected({ issuer, protect: { once } })
  await using b = await openProtected({ issuer, protect: { once } })
  const key = await createProofKey()
  const token = await issuer.sign({ cnf: { jkt: key.jkt } })
  const headers = dpop(token, await prove(key, token))

  const first = await a.call('who', { headers })
  const again = await b.call('who', { headers })

  expect([first.status, again.status]).toEqual([200, 401])
  expect(challengeOf(again)).toContain('error="invalid_dpop_proof"')
  expect(b.ran).toEqual([])
})

test('a proof is not accepted while nobody knows whether it was used', async () => {
  const once = { add: () => Promise.reject(new Error('the store is away')) }
  await using server = await openProtected({ protect: { once } })
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })

  const answer = await server.call('who', { headers: dpop(token, await prove(key, token)) })

  expect(answer.status).toBe(503)
  expect(server.ran).toEqual([])
})

test('a stolen token is worth nothing without its key', async () => {
  await using server = await openProtected()
  const [key, thief] = await Promise.all([createProofKey(), createProofKey()])
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })
  const other = await server.issuer.sign({ cnf: { jkt: key.jkt }, sub: 'bob' })

  const answers = await Promise.all([
    server.call('who', { token }), // as if it were not bound
    server.call('who', { headers: dpop(token, await prove(thief, token)) }),
    server.call('who', { headers: dpop(token, await prove(key, other)) }), // seen with another token
    server.call('who', { headers: { authorization: `DPoP ${token}` } }),
  ])

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(server.ran).toEqual([])
})

test('a token that is not bound is not made better by a proof', async () => {
  await using server = await openProtected()
  const thief = await createProofKey()
  const token = await server.issuer.sign()

  const answer = await server.call('who', { headers: dpop(token, await prove(thief, token)) })

  expect(answer.status).toBe(401)
})

test.each([
  ['another method', { htm: 'GET' }],
  ['another server', { htu: 'https://other.example.com/mcp' }],
  ['another path', { htu: 'https://notes.example.com/other' }],
  ['an old time', { iat: now() - 120 }],
  ['a time to come', { iat: now() + 60 }],
  ['no time', { iat: undefined }],
  ['no id', { jti: undefined }],
  ['a very long id', { jti: 'x'.repeat(1000) }],
  ['no hash of the token', { ath: undefined }],
  ['the hash of another token', { ath: 'x' }],
])('a proof for %s is refused', async (_, claims) => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })

  const answer = await server.call('who', { headers: dpop(token, await prove(key, token, claims)) })

  expect(answer.status).toBe(401)
  expect(server.ran).toEqual([])
})

test('a proof of another type, with a private key or a secret, or two of them, is refused', async () => {
  await using server = await openProtected()
  const key = await createProofKey()
  const token = await server.issuer.sign({ cnf: { jkt: key.jkt } })
  const good = await prove(key, token)
  const [, payload = ''] = good.split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const symmetric = `${encode({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k: 'AAAA' } })}.${payload}`
  const mac = createHmac('sha256', Buffer.from('AAAA', 'base64url')).update(symmetric)
  const proofs = [
    await prove(key, token, {}, { typ: 'JWT' }),
    await prove(key, token, {}, { jwk: await exportJWK(key.privateKey) }),
    await prove(key, token, {}, { jwk: undefined }),
    `${symmetric}.${mac.digest('base64url')}`,
    `${encode({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })}.${payload}.`,
    `${good}, ${await prove(key, token)}`,
    'nonsense',
  ]

  for (const proof of proofs) {
    expect((await server.call('who', { headers: dpop(token, proof) })).status).toBe(401)
  }
  expect(server.ran).toEqual([])
})

test('what was used is remembered while it could be used again, and there is a bound', () => {
  const replayed = createReplayed(3)
  const later = Date.now() + 60_000

  expect(replayed.use('a', later)).toBe(true)
  expect(replayed.use('a', later)).toBe(false)
  expect(replayed.use('old', Date.now() - 1)).toBe(true)
  expect(replayed.use('old', later)).toBe(true)
  expect(['b', 'c', 'd'].map((id) => replayed.use(id, later))).toEqual([true, true, true])
  expect(replayed.use('d', later)).toBe(false)
  expect(replayed.use('a', later)).toBe(true) // the oldest gave way
})
