import type { UserAccount } from '@parley/auth/server'
import { describe, expect, test } from 'vitest'

import { ask, createBrowser, issuer, signIn, startAuthServer } from '../server/harness.ts'
import { arrive, goThrough, openThirdParty } from '../server/third-party-world.ts'

/** Ada has signed in in a browser, at a server whose people come and go. */
async function openSession() {
  const people = new Map<string, UserAccount>([
    ['ada', { subject: 'person-1' }],
    ['bob', { subject: 'person-2', claims: { name: 'Bob' } }],
  ])
  const harness = await startAuthServer({
    users: {
      verify: async (name) => people.get(name),
      find: async (subject) => [...people.values()].find((one) => one.subject === subject),
    },
  })
  const browser = createBrowser(harness)
  await signIn(browser, ask(issuer))
  return { people, harness, browser }
}

describe('a session outlives the account it is of', () => {
  test('it lets nobody in: the person is asked to sign in, each time [ASEC-01]', async () => {
    const { people, harness, browser } = await openSession()
    people.delete('ada')

    const pages = [await arrive(browser, ask(issuer)), await arrive(browser, ask(issuer))]
    const silent = await browser.get(ask(issuer, { prompt: 'none' }).url)

    for (const { response, text } of pages) {
      expect(response.status).toBe(200)
      expect(text).toContain('name="password"')
    }
    expect(silent.headers.get('location')).toContain('error=login_required')
    expect(harness.events.map(({ type }) => type)).not.toContain('failure')
  })

  test('who comes back under the same name is somebody else, and can sign in', async () => {
    const { people, harness, browser } = await openSession()
    people.set('ada', { subject: 'person-9', claims: { name: 'The new Ada' } })

    const at = await signIn(browser, ask(issuer))
    const silent = await browser.follow(await browser.get(ask(issuer, { prompt: 'none' }).url))

    expect(at.searchParams.has('code')).toBe(true)
    expect(silent.url).toContain('code=')
    expect(harness.events.findLast(({ type }) => type === 'sign_in')?.subject).toBe('person-9')
  })

  test('whoever signs in instead does not get what the other one agreed to [ASEC-17]', async () => {
    const { people, harness, browser } = await openSession()
    const bob = people.get('bob') ?? { subject: '' }
    people.set('ada', bob) // the name in the form of these tests

    const at = await signIn(browser, ask(issuer, { prompt: 'login' }))

    expect(at.searchParams.has('code')).toBe(true)
    const consents = harness.events.filter(({ type }) => type === 'consent_given')
    expect(consents.map(({ subject }) => subject)).toEqual(['person-1', 'person-2'])
  })
})

describe('a session outlives the account at a third party', () => {
  test.each(['closed there', 'without a word of theirs any more'])(
    'an account that is %s: the person signs in again, there [R0326A-21]',
    async (how) => {
      let now = Date.now()
      let isSilent = how !== 'closed there'
      const world = await openThirdParty({
        now: () => now,
        async fetch(input, init) {
          const answer = await world.other.server.fetch(new Request(input, init))
          if (!isSilent || !new URL(new Request(input).url).pathname.endsWith('/token'))
            return answer
          const { refresh_token: _, ...rest } = (await answer.json()) as Record<string, unknown> // always an object
          return Response.json(rest, { status: answer.status })
        },
      })
      const browser = createBrowser(world.ours)
      await goThrough(world, browser, ask(issuer))
      if (!isSilent) world.closeAccount()
      now += 2 * 3_600_000

      const page = await arrive(browser, ask(issuer))
      isSilent = false

      expect(page.response.status).toBe(200)
      expect(page.text).toContain('Continue with Example')
      if (how === 'closed there') return
      const again = await goThrough(world, browser, ask(issuer))
      expect(new URL(again.url).searchParams.has('code')).toBe(true)
    },
  )

  test('a third party that cannot be asked: the client is told to come again, and then all is as before [R0326A-21]', async () => {
    let now = Date.now()
    const world = await openThirdParty({ now: () => now })
    const browser = createBrowser(world.ours)
    await goThrough(world, browser, ask(issuer))
    now += 2 * 3_600_000

    world.setDown(true)
    const away = await arrive(browser, ask(issuer))
    world.setDown(false)
    const back = await arrive(browser, ask(issuer))

    expect(new URL(away.url).searchParams.get('error')).toBe('temporarily_unavailable')
    expect(new URL(back.url).searchParams.has('code')).toBe(true)
    expect(world.ours.events.map(({ type }) => type)).not.toContain('failure')
  })
})
