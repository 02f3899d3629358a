import { expect, test } from 'vitest'

import { openUpstream } from './upstream-world.ts'

test("another service gets a token of its own, exchanged for the caller's [ASEC-21]", async () => {
  await using world = await openUpstream()
  const { issuer, service, server } = world
  const token = await issuer.sign()

  const answer = await server.call('files', { token })

  expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'files' }] } })
  expect(service.seen[0]?.headers.authorization).toBe('Bearer upstream-1')
  const [asked] = issuer.at('/token')
  expect(Object.fromEntries(asked?.form ?? [])).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    resource: `${service.origin}/api`,
    scope: 'files:read',
  })
})

test('it is got once for a caller, and again when it is no longer good', async () => {
  await using lasting = await openUpstream()
  await using short = await openUpstream({
    token: () => ({ body: { access_token: 'short', token_type: 'bearer', expires_in: 0 } }),
  })
  for (const { issuer, server } of [lasting, short]) {
    const token = await issuer.sign()
    await server.call('files', { token })
    await server.call('files', { token })
  }

  expect(lasting.issuer.at('/token')).toHaveLength(1)
  expect(short.issuer.at('/token')).toHaveLength(2)
})

test('a server may also call as itself', async () => {
  await using world = await openUpstream({ options: { grant: 'client_credentials' } })

  await world.server.call('files', { token: await world.issuer.sign() })
  await world.server.call('files', { token: await world.issuer.sign({ sub: 'bob' }) })

  const [asked, ...more] = world.issuer.at('/token')
  expect(more).toEqual([])
  expect(asked?.form.get('grant_type')).toBe('client_credentials')
  expect(asked?.form.has('subject_token')).toBe(false)
})

test.each([
  ['an error', { status: 400, body: { error: 'invalid_target' } }],
  ['no token', { body: {} }],
  ['another kind of token', { body: { access_token: 'x', token_type: 'N_A' } }],
])('%s of the issuer is an error, and the service is not called', async (_, answer) => {
  await using world = await openUpstream({ token: () => answer })

  const result = await world.server.call('files', { token: await world.issuer.sign() })

  expect(await result.json()).toMatchObject({ result: { isError: true } })
  expect(world.server.reported).toMatchObject([{ name: 'AuthError', code: 'token_refused' }])
  expect(world.service.seen).toEqual([])
})
