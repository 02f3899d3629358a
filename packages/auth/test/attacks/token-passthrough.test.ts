import { upstream } from '@parley/auth/resource'
import { testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { openProtected } from '../resource/protected-server.ts'
import { openUpstream } from '../resource/upstream-world.ts'
import { openLoggedServer } from '../support/http-log.ts'

test("the caller's token never reaches another service [ASEC-21] [ATOK-11]", async () => {
  await using world = await openUpstream()
  const token = await world.issuer.sign()

  await world.server.call('files', { token })

  expect(world.service.seen).toHaveLength(1)
  expect(JSON.stringify(world.service.seen)).not.toContain(token)
})

test('an issuer that gives the same token back gives none [ASEC-21]', async () => {
  await using world = await openUpstream({
    token: ({ form }) => ({
      body: { access_token: form.get('subject_token'), token_type: 'Bearer', expires_in: 300 },
    }),
  })

  const answer = await world.server.call('files', { token: await world.issuer.sign() })

  expect(await answer.json()).toMatchObject({ result: { isError: true } })
  expect(world.service.seen).toEqual([])
})

test('a handler cannot reach the token it was called with [ASEC-21]', async () => {
  let seen: object = {}
  await using server = await openProtected({
    define: (notes) => notes.tool('look', {}, (_, { auth = {} }) => void (seen = auth)),
  })
  const token = await server.issuer.sign()

  await server.call('look', { token })

  expect(seen).toMatchObject({ subject: 'ada' })
  expect(JSON.stringify(seen)).not.toContain(token)
  expect(Reflect.ownKeys(seen).map((key) => Reflect.get(seen, key))).not.toContain(token)
})

test('a redirect is not followed with a token', async () => {
  await using elsewhere = await openLoggedServer(() => ({ body: 'mine now' }))
  await using world = await openUpstream({
    service: () => ({ status: 307, headers: { location: `${elsewhere.origin}/api` } }),
  })

  await world.server.call('files', { token: await world.issuer.sign() })

  expect(world.service.seen).toHaveLength(1)
  expect(elsewhere.seen).toEqual([])
})

test('a token got for one service goes to no other', async () => {
  const auth = testAuth()
  const call = upstream(auth, {
    resource: 'https://files.example/api',
    issuer: auth.issuer,
    clientId: 'c',
    clientSecret: 's',
    fetch: () => Promise.reject(new Error('must not be called')),
  })

  for (const url of [
    'https://evil.example/api',
    'https://files.example/other',
    'https://files.example/apiary',
    'https://files.example/api/../other',
    'http://files.example/api',
    'https://files.example:444/api',
  ]) {
    await expect(call(url)).rejects.toMatchObject({ code: 'resource_mismatch' })
  }
})
