import { expect, test } from 'vitest'

import { challengeOf, openProtected } from '../resource/protected-server.ts'
import { resource } from '../resource/signing-issuer.ts'

test.each([
  ['another server', 'https://other.example.com/mcp', 'another server'],
  ['another path of the same host', 'https://notes.example.com/other', 'another server'],
  ['a path below', `${resource}/admin`, 'another server'],
  ['the host alone', 'https://notes.example.com', 'another server'],
  ['a name that begins like ours', `${resource}.evil.example`, 'another server'],
  ['our name as user of another host', 'https://notes.example.com@evil.example/mcp', 'another'],
  ['a path that leads to ours', 'https://notes.example.com/x/../mcp', 'another server'],
  ['several, none of them ours', ['https://a.example', 'https://b.example'], 'another server'],
  ['others besides us', [resource, 'https://other.example.com'], 'other servers as well'],
  ['nobody', undefined, 'it has no audience'],
  ['an empty list', [], 'it has no audience'],
  ['something that is no text', [7, null], 'it has no audience'],
])(
  'a token for %s is refused [ATOK-06] [ATOK-11] [ASEC-03] [ASEC-20] [SEC-02] [N11-AUTH-19]',
  async (_, aud, why) => {
    await using server = await openProtected()

    const answer = await server.call('who', { token: await server.issuer.sign({ aud }) })

    expect(answer.status).toBe(401)
    expect(challengeOf(answer)).toContain(why)
    expect(server.ran).toEqual([])
  },
)

test.each([resource, [resource], 'HTTPS://NOTES.example.com/mcp'])(
  'a token for %j is ours [ARES-06]',
  async (aud) => {
    await using server = await openProtected()

    expect((await server.call('who', { token: await server.issuer.sign({ aud }) })).status).toBe(
      200,
    )
  },
)

test('the slash of a bare origin makes no difference, that of a path does [ARES-08]', async () => {
  await using bare = await openProtected({ http: { url: 'https://notes.example.com' } })
  await using path = await openProtected()
  const status = async (server: typeof bare, aud: string) =>
    (await server.call('who', { path: '/', token: await server.issuer.sign({ aud }) })).status

  expect(await status(bare, 'https://notes.example.com/')).toBe(200)
  expect(await status(bare, 'https://notes.example.com')).toBe(200)
  expect(await status(path, `${resource}/`)).toBe(401)
})

test('other audiences are accepted by name only', async () => {
  await using server = await openProtected({
    protect: { audience: ['api', 'other-api'], extraAudiences: ['account'] },
  })
  const status = async (aud: unknown) =>
    (await server.call('who', { token: await server.issuer.sign({ aud }) })).status

  expect(await status('api')).toBe(200)
  expect(await status(['other-api', 'account'])).toBe(200)
  expect(await status('account')).toBe(401)
  expect(await status(resource)).toBe(401)
})

test('what one endpoint accepted another does not, behind the same guard', async () => {
  const { oauthGuard } = await import('../../src/resource/protect.ts')
  await using one = await openProtected()
  const guard = oauthGuard({ issuer: one.issuer.issuer })
  const header = (token: string) => (name: string) =>
    name === 'authorization' ? `Bearer ${token}` : undefined
  const token = await one.issuer.sign()
  const ask = (url: string) =>
    guard.authenticate({
      method: 'POST',
      target: '/mcp',
      resource: new URL(url),
      header: header(token),
    })

  expect(await ask(resource)).toMatchObject({ kind: 'allow' })
  expect(await ask('https://other.example.com/mcp')).toMatchObject({ kind: 'deny', status: 401 })
})
