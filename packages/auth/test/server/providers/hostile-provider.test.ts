import { createSafeFetch } from '@parley/auth'
import { upstreamToken } from '@parley/auth/resource'
import { discord, github } from '@parley/auth/server'
import { describe, expect, test } from 'vitest'

import { openProvider, returnFromProvider, type ProviderWorld } from './provider-world.ts'

const us = { clientId: 'our-id', clientSecret: 'our-secret' }

/** Where somebody ends whom the provider sends back, and why in the log. */
async function end(world: ProviderWorld, change: (back: URL) => void = () => {}) {
  const { browser, onward } = await world.depart()
  const back = world.provider.authorize(onward)
  change(back)
  const at = await returnFromProvider(browser, back.href)
  const { reason } = world.ours.events.findLast(({ type }) => type === 'sign_in_failed') ?? {}
  return { status: at.response.status, text: at.text, reason }
}

test.each([
  ['a state that is not ours', (back: URL) => back.searchParams.set('state', 'guessed'), 400],
  ['no state', (back: URL) => back.searchParams.delete('state'), 400],
  ['two states', (back: URL) => back.searchParams.append('state', 'other'), 403],
  ['another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example'), 403],
  ['no code', (back: URL) => back.searchParams.delete('code'), 403],
  ['two codes', (back: URL) => back.searchParams.append('code', 'other'), 403],
])('%s in the answer signs nobody in, and no code is sent on', async (_what, change, status) => {
  const world = await openProvider('github')

  const ended = await end(world, change)

  expect(ended.status).toBe(status)
  expect(world.provider.at(world.behaviour.tokenAt)).toEqual([])
})

test('an answer that arrives at the address of another provider is not sent to either [ASEC-12]', async () => {
  const world = await openProvider('github', { signInWith: [github(us), discord(us)] })

  const ended = await end(world, (back) => (back.pathname = '/sign-in-callback/discord'))

  expect(ended.status).toBe(400)
  expect(world.provider.seen).toEqual([])
})

describe.each([
  ['tokenAt', 'the token endpoint'],
  ['userAt', 'the API'],
] as const)('%s', (at, name) => {
  const hostile: Record<string, { answer: () => Response | Promise<Response>; why: RegExp }> = {
    'a page instead of JSON': {
      answer: () =>
        new Response('<html>sign in</html>', { headers: { 'content-type': 'text/html' } }),
      why: /answered with text\/html instead of a JSON object \(status 200\)/,
    },
    'an answer without end': {
      answer: () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
          }),
        ),
      why: /longer than 262144 bytes/,
    },
    'no answer': { answer: () => new Promise(() => {}), why: /no answer within 50 ms/ },
    'an answer that never ends': {
      answer: () => new Response(new ReadableStream({})),
      why: /no answer within 50 ms/,
    },
    'a redirect to an internal address': {
      answer: () =>
        new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/latest' } }),
      why: /redirects to 169\.254\.169\.254, which is not followed/,
    },
    'a list': { answer: () => Response.json([]), why: /instead of a JSON object/ },
    'a failure': {
      answer: () => new Response('busy', { status: 503 }),
      why: /answered with status 503/,
    },
    'an error that repeats secrets': {
      answer: () => Response.json({ error: 'no our-secret here', error_description: 'our-secret' }),
      why: /GitHub answered with unknown_error$/,
    },
    'a refusal without a name, and what it would have said': {
      answer: () => Response.json({ ok: false, id: 4711, access_token: 'good' }),
      why: /GitHub answered with unknown_error$/,
    },
    'nobody, and no token': {
      answer: () => Response.json({ id: 'x', access_token: 7 }),
      why: /GitHub answered with/,
    },
  }

  test.each(Object.entries(hostile))(
    `${name}: %s signs nobody in`,
    async (_what, { answer, why }) => {
      const world = await openProvider('github', {}, { timeoutMs: 50 })
      world.provider.intercept = ({ url }) => (url === world.behaviour[at] ? answer() : undefined)

      const ended = await end(world)

      expect(ended.status).toBe(403)
      expect(ended.text).toContain('GitHub did not sign you in.')
      expect(ended.reason).toMatch(why)
      expect(`${ended.reason}${ended.text}`).not.toContain('our-secret')
    },
  )
})

test('a token that could begin another header is refused', async () => {
  const world = await openProvider('github')
  world.provider.intercept = ({ url }) =>
    url === world.behaviour.tokenAt ? Response.json({ access_token: 'a\r\nx-evil: 1' }) : undefined

  expect((await end(world)).reason).toMatch(/an answer without a token/)
})

test.each(['github', 'okta'])(
  '%s: a refresh that gives a token of somebody else ends the sign-in',
  async (name) => {
    let now = Date.now()
    const world = await openProvider(name, { now: () => now })
    const { auth, body } = await world.signIn()
    now += 86_400_000
    world.provider.user = '1234'

    await expect(upstreamToken(auth, name)).rejects.toMatchObject({ code: 'grant_lost' })

    expect(world.ours.events).toContainEqual(
      expect.objectContaining({
        type: 'sign_out',
        reason: expect.stringMatching(/gave a token of another user/),
      }),
    )
    expect(await world.refresh(body['refresh_token'])).toMatchObject({ status: 400 })
  },
)

test('metadata of a provider that lead to an internal address are not followed', async () => {
  const world = await openProvider('okta')
  const guarded = createSafeFetch()
  world.provider.intercept = (request) => {
    if (request.url === world.behaviour.metadata?.at) {
      const body = { ...world.behaviour.metadata.body, token_endpoint: 'https://10.0.0.1/token' }
      return Response.json(body)
    }
    return guarded(request)
  }

  const ended = await end(world)

  expect(ended.status).toBe(403)
  expect(ended.reason).toMatch(/10\.0\.0\.1 is not contacted: its address is not public/)
})

test('an issuer in the metadata that is another one is refused before anybody is sent there', async () => {
  const world = await openProvider('microsoft')
  world.provider.intercept = ({ url }) =>
    url === world.behaviour.metadata?.at
      ? Response.json({
          ...world.behaviour.metadata.body,
          issuer: 'https://evil.example/{tenantid}/v2.0',
        })
      : undefined

  const { onward } = await world.depart()

  expect(onward).toBe('')
})
