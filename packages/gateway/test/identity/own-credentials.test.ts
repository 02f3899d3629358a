import { generateKeyPairSync } from 'node:crypto'

import type { PrivateJwk } from '@parley/auth/client'
import { apiKeyGuard } from '@parley/auth/resource'
import { expect, test } from 'vitest'

import { open, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'
import { openIssuer, openNotes, openTap, secret } from './world.ts'

const granted = ['notes:read', 'notes:write']

test('the gateway has a token of its own: got once, for all callers, with a secret', async () => {
  const key = 'key-of-ada-0123456789'
  await using tap = await openTap()
  await using issuer = await openIssuer([tap.url], {
    clients: [{ clientId: 'gateway', clientSecret: secret, scopes: granted }],
  })
  await using notes = await openNotes(tap, issuer.issuer)
  await using gateway = await startTestGateway({
    auth: apiKeyGuard({ [key]: 'ada' }),
    servers: {
      docs: {
        url: notes.url,
        mode: 'shared',
        auth: { type: 'client-credentials', clientId: 'gateway', clientSecret: secret },
      },
    },
  })
  await using ada = await open(gateway, { headers: { authorization: `Bearer ${key}` } })

  const answers = await Promise.all(Array.from({ length: 8 }, () => ada.callTool('docs__who')))
  const written = await ada.callTool('docs__write')

  expect(new Set(answers.map(textOf))).toEqual(new Set([`gateway of ${issuer.issuer}`]))
  expect(textOf(written)).toBe('written') // it asked for more by itself
  expect(issuer.asked.filter((each) => each === 'POST /token').length).toBeLessThanOrEqual(2)
  expect(tap.sent()).not.toContain(key)
})

test('or with a key that signs for it (private_key_jwt)', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = 'gateway-1'
  const key = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256' } as PrivateJwk // an EC key has kty
  const open1 = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  await using tap = await openTap()
  await using issuer = await openIssuer([tap.url], {
    clients: [
      { clientId: 'gateway', keys: [open1], grants: ['client_credentials'], scopes: granted },
    ],
  })
  await using notes = await openNotes(tap, issuer.issuer)
  await using gateway = await startTestGateway({
    servers: {
      docs: { url: notes.url, auth: { type: 'client-credentials', clientId: 'gateway', key } },
    },
  })
  await using client = await open(gateway)

  expect(textOf(await client.callTool('docs__who'))).toBe(`gateway of ${issuer.issuer}`)
})

test('a secret goes to the issuer that was configured, and to no other that a server names', async () => {
  await using tap = await openTap()
  await using issuer = await openIssuer([tap.url], {
    clients: [{ clientId: 'gateway', clientSecret: secret, scopes: granted }],
  })
  await using notes = await openNotes(tap, issuer.issuer)
  const states: string[] = []
  await using gateway = await startTestGateway({
    onState: (_, state) => states.push('cause' in state ? state.cause : state.state),
    servers: {
      docs: {
        url: notes.url,
        auth: {
          type: 'client-credentials',
          issuer: 'https://id.example',
          clientId: 'gateway',
          clientSecret: secret,
        },
      },
    },
  })
  await gateway.started

  expect(states.join('\n')).toContain(`takes tokens of ${issuer.issuer}, not of https://id.example`)
  expect(issuer.asked).not.toContain('POST /token')
})
