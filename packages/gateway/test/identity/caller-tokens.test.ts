import { apiKeyGuard, oauthGuard } from '@parley/auth/resource'
import type { OutgoingAuth } from '@parley/gateway'
import { expect, onTestFinished, test } from 'vitest'

import { open, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'
import { openSigningIssuer, type SigningIssuer } from './signing-issuer.ts'
import { openIssuer, openNotes, openTap, secret, type Tap } from './world.ts'

const home = 'http://127.0.0.1:9/mcp' // the public address of the gateway; nobody asks there

/** An issuer that exchanges tokens of callers for tokens for a server. */
async function openExchange(
  tap: Tap,
  answer: (issuer: SigningIssuer, subject: string) => object = (issuer, sub) =>
    exchanged(issuer, tap, sub),
): Promise<SigningIssuer> {
  const issuer = await openSigningIssuer(({ form }, own) => {
    const [, payload = ''] = (form.get('subject_token') ?? '').split('.')
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string } // ours
    return { body: answer(own, sub) }
  })
  onTestFinished(() => issuer[Symbol.asyncDispose]())
  return issuer
}

function exchanged(issuer: SigningIssuer, tap: Tap, sub: string): object {
  const token = issuer.sign({ sub, aud: tap.url, scope: 'notes:read', client_id: 'gateway' })
  return { access_token: token, token_type: 'Bearer', expires_in: 300 }
}

async function startFor(issuer: SigningIssuer, url: string, auth: OutgoingAuth) {
  const gateway = await startTestGateway({
    url: home,
    auth: oauthGuard({ issuer: issuer.issuer, extraAudiences: [url] }),
    servers: { docs: { url, auth } },
  })
  onTestFinished(() => gateway.close())
  const tokenOf = (sub: string, more: object = {}) => issuer.sign({ sub, aud: home, ...more })
  const as = async (sub: string, more?: object) => {
    const token = tokenOf(sub, more)
    const client = await open(gateway, { headers: { authorization: `Bearer ${token}` } })
    onTestFinished(() => client.close())
    return { client, token }
  }
  return { gateway, as }
}

test.each(['legacy', 'modern'] as const)(
  "token-exchange: the server gets a token of its own for each caller, never the caller's (%s)",
  async (protocolVersion) => {
    await using tap = await openTap()
    const issuer = await openExchange(tap)
    await using notes = await openNotes(tap, issuer.issuer)
    const { gateway } = await startFor(issuer, notes.url, {
      type: 'token-exchange',
      issuer: issuer.issuer,
      clientId: 'gateway',
      clientSecret: secret,
    })
    const tokens = ['ada', 'bob'].map((sub) => issuer.sign({ sub, aud: home }))
    const [ada, bob] = await Promise.all(
      tokens.map((token) =>
        open(gateway, { protocolVersion, headers: { authorization: `Bearer ${token}` } }),
      ),
    )
    if (ada === undefined || bob === undefined) throw new Error('two were opened')

    const list = await ada.listTools().toArray()
    const calls = [ada, bob, bob, ada, ada, bob]
    const answers = await Promise.all(calls.map((client) => client.callTool('docs__who')))
    await Promise.all([ada.close(), bob.close()])

    expect(list.map(({ name }) => name)).toEqual(['docs__who', 'docs__write'])
    expect(answers.map((each) => textOf(each).split(' ')[0])).toEqual(
      calls.map((client) => (client === ada ? 'ada' : 'bob')),
    )
    const [first] = issuer.at('/token')
    expect(Object.fromEntries(first?.form ?? [])).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      resource: notes.url,
      audience: notes.url,
    })
    expect(issuer.at('/token')).toHaveLength(2)
    for (const token of tokens) expect(tap.sent()).not.toContain(token)
    const sessions = new Map(notes.calls.map(({ sessionId, subject }) => [sessionId, subject]))
    for (const { sessionId, subject } of notes.calls) {
      if (sessionId !== undefined) expect(sessions.get(sessionId)).toBe(subject)
    }
  },
)

test('token-exchange: a server that needs more scopes, or refuses twice, is named with the cause', async () => {
  await using tap = await openTap()
  let isBad = false
  const issuer = await openExchange(tap, (made, sub) =>
    isBad
      ? {
          access_token: made.sign({ sub, aud: 'https://other.example' }),
          token_type: 'Bearer',
        }
      : exchanged(made, tap, sub),
  )
  await using notes = await openNotes(tap, issuer.issuer)
  const { as } = await startFor(issuer, notes.url, {
    type: 'token-exchange',
    issuer: issuer.issuer,
    clientId: 'gateway',
    clientSecret: secret,
  })
  const { client: ada } = await as('ada')
  await ada.listTools().toArray()

  const more = textOf(await ada.callTool('docs__write'))
  isBad = true
  const { client: bob } = await as('bob')
  const rejected = await bob.callTool('docs__who').catch((error: Error) => error.message)

  expect(more).toBe(
    'the server "docs" needs more scopes than this caller\'s token has: notes:read notes:write',
  )
  expect(typeof rejected === 'string' ? rejected : textOf(rejected)).toContain('docs')
  expect(issuer.at('/token').length).toBe(3) // one for ada, and for bob one more after the first was refused
})

test('token-exchange: a caller without a token is refused, and nothing is asked', async () => {
  const key = 'key-of-ada-0123456789'
  await using tap = await openTap()
  const issuer = await openExchange(tap)
  await using notes = await openNotes(tap, issuer.issuer)
  await using gateway = await startTestGateway({
    auth: apiKeyGuard({ [key]: 'ada' }),
    naming: 'prefix',
    servers: {
      docs: {
        url: notes.url,
        auth: {
          type: 'token-exchange',
          issuer: issuer.issuer,
          clientId: 'g',
          clientSecret: secret,
        },
      },
    },
  })
  await using ada = await open(gateway, { headers: { 'x-api-key': key } })

  expect(await ada.listTools().toArray()).toEqual([])
  expect(issuer.at('/token')).toEqual([])
  expect(tap.sent()).not.toContain(key)
})

test('id-jag: the word of the identity provider gets a token of the server’s own issuer', async () => {
  await using tap = await openTap()
  const idp = await openExchange(tap, (made, sub) => {
    const claims = { sub, aud: resourceIssuer.issuer, client_id: 'gateway', resource: tap.url }
    return {
      access_token: made.sign({ ...claims, scope: 'notes:read' }, 'oauth-id-jag+jwt'),
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
      expires_in: 300,
    }
  })
  await using resourceIssuer = await openIssuer([tap.url], {
    fetch,
    trust: [
      {
        issuer: idp.issuer,
        kind: 'enterprise',
        scopes: ['notes:read'],
        subject: ({ sub }) => String(sub),
      },
    ],
    clients: [{ clientId: 'gateway', clientSecret: secret, grants: ['jwt-bearer'] }],
  })
  await using notes = await openNotes(tap, resourceIssuer.issuer)
  const { as } = await startFor(idp, notes.url, {
    type: 'id-jag',
    idp: { issuer: idp.issuer, clientId: 'gateway', clientSecret: secret },
    clientId: 'gateway',
    clientSecret: secret,
  })
  const { client: ada, token } = await as('ada')
  await ada.listTools().toArray()

  const answer = textOf(await ada.callTool('docs__who'))

  expect(answer).toBe(`ada of ${resourceIssuer.issuer}`)
  expect(idp.at('/token')[0]?.form.get('subject_token_type')).toMatch(/access_token$/)
  expect(tap.sent()).not.toContain(token)
})

test('pass-through: a token that was issued for the server too is passed on, any other is not', async () => {
  await using tap = await openTap()
  const issuer = await openExchange(tap)
  await using notes = await openNotes(tap, { issuer: issuer.issuer, extraAudiences: [home] })
  const { as } = await startFor(issuer, notes.url, { type: 'pass-through' })
  const both = await as('ada', { aud: [home, notes.url], scope: 'notes:read' })
  const own = await as('bob', { scope: 'notes:read' })
  await both.client.listTools().toArray()

  const answer = textOf(await both.client.callTool('docs__who'))
  const list = await own.client.listTools().toArray()

  expect(answer).toBe(`ada of ${issuer.issuer}`)
  expect(list).toEqual([])
  expect(tap.sent()).toContain(both.token)
  expect(tap.sent()).not.toContain(own.token)
})
