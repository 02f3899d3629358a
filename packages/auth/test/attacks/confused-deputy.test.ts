import { expect, test } from 'vitest'

import { openUpstream } from '../resource/upstream-world.ts'

test("one caller's upstream token is not used for another [N07-AUTH-13]", async () => {
  await using world = await openUpstream()
  const { issuer, server, service } = world
  const [ada, bob, again] = await Promise.all([
    issuer.sign(),
    issuer.sign({ sub: 'bob' }),
    issuer.sign({ scope: 'less' }),
  ])

  for (const token of [ada, bob, again]) await server.call('files', { token })

  const sent = service.seen.map(({ headers }) => headers.authorization)
  expect(new Set(sent).size).toBe(3)
  expect(issuer.at('/token').map(({ form }) => form.get('subject_token'))).toEqual([
    ada,
    bob,
    again,
  ])
})

test("the caller's token is shown to nobody but who issued it [ASEC-21]", async () => {
  await using other = await openUpstream()
  await using world = await openUpstream({ options: { issuer: other.issuer.issuer } })

  const answer = await world.server.call('files', { token: await world.issuer.sign() })

  expect(await answer.json()).toMatchObject({ result: { isError: true } })
  expect(other.issuer.seen).toEqual([])
  expect(world.server.reported).toMatchObject([{ code: 'token_refused' }])
})

test('a handler that tries to pass a credential on is stopped [ASEC-21]', async () => {
  let inbound = ''
  await using world = await openUpstream({
    use: (call, url) =>
      call(url, { headers: { 'x-forwarded-authorization': `Bearer ${inbound}` } }),
  })
  inbound = await world.issuer.sign()

  await world.server.call('files', { token: inbound })

  expect(world.service.seen).toEqual([])
  expect(world.server.reported).toMatchObject([{ code: 'token_refused' }])
})

test('whatever a handler puts into Authorization is replaced', async () => {
  await using world = await openUpstream({
    use: (call, url) => call(url, { headers: { authorization: 'Bearer mine' } }),
  })

  await world.server.call('files', { token: await world.issuer.sign() })

  expect(world.service.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer upstream-1',
  ])
})
