import { createMemoryAuthServerStore } from '@parley/auth/server'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'

import {
  ada,
  arrive,
  ask,
  returnFromProvider,
  createBrowser,
  elsewhere,
  goThrough,
  issuer,
  onwardOf,
  openThirdParty,
  press,
  redeem,
  redirectUri,
  requestToken,
} from './third-party-world.ts'

test('somebody signs in with an account they have elsewhere', async () => {
  const world = await openThirdParty()
  const asked = ask(issuer)

  const at = await goThrough(world, createBrowser(world.ours), asked)

  const { status, body } = await redeem(world.ours, asked, at)
  expect(status).toBe(200)
  const claims = decodeJwt(String(body['access_token']))
  expect(claims).toMatchObject({ iss: issuer, sub: `${elsewhere}|person-1`, scope: 'notes:read' })
  expect(world.ours.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['sign_in', 'consent_given', 'token_issued']),
  )
})

test('our own passwords stay beside it, and are not asked for where there are none', async () => {
  const both = await openThirdParty({ users: ada })
  const only = await openThirdParty()

  const withPasswords = await arrive(createBrowser(both.ours), ask(issuer))
  const without = await arrive(createBrowser(only.ours), ask(issuer))

  expect(withPasswords.text).toContain('name="password"')
  expect(withPasswords.text).toContain('Continue with Example')
  expect(without.text).not.toContain('name="password"')
})

test('a server where nobody can sign in is refused', async () => {
  await expect(openThirdParty({ signInWith: [], users: undefined })).rejects.toThrow(
    /there are no users/,
  )
})

test('people are asked about the program before anything goes to the third party [ASEC-17] [SEC-01] [SECX-02]', async () => {
  const world = await openThirdParty()
  const browser = createBrowser(world.ours)

  const departure = await press(browser, await arrive(browser, ask(issuer)), 'with-0')

  expect(departure.text).toContain('Allow The App?')
  expect(departure.text).toContain('read your notes')
  expect(departure.text).toContain(redirectUri)
  expect(departure.response.headers.get('content-security-policy')).toContain(
    "frame-ancestors 'none'",
  )
  expect(departure.response.headers.get('x-frame-options')).toBe('DENY')
  expect(onwardOf(departure)).toBe('')
  expect(world.other.events).toEqual([])
})

test('a form that did not come from our page starts nothing [SECX-02]', async () => {
  const world = await openThirdParty()
  const browser = createBrowser(world.ours)
  const page = await arrive(browser, ask(issuer))

  const forged = await browser.post(page.url, { token: 'guessed', answer: 'go-0' })
  const foreign = await browser.post(
    page.url,
    { token: /name="token" value="([\w-]+)"/.exec(page.text)?.[1] ?? '', answer: 'go-0' },
    { origin: 'https://evil.example' },
  )

  expect([forged.status, foreign.status]).toEqual([403, 403])
  expect(forged.headers.has('refresh') || foreign.headers.has('refresh')).toBe(false)
})

test('another program is asked about anew, though the person is signed in [ASEC-17] [SEC-01] [SECX-01]', async () => {
  const world = await openThirdParty({ registration: 'on' })
  const browser = createBrowser(world.ours)
  await goThrough(world, browser, ask(issuer))
  const registered = await world.ours.server.fetch(
    new Request(`${issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Stranger',
        redirect_uris: ['https://stranger.example/callback'],
        token_endpoint_auth_method: 'none',
      }),
    }),
  )
  const { client_id: id } = (await registered.json()) as { client_id: string } // as RFC 7591 says

  const known = await arrive(browser, ask(issuer))
  const stranger = await arrive(
    browser,
    ask(issuer, { client_id: id, redirect_uri: 'https://stranger.example/callback' }),
  )

  expect(known.url).toMatch(/^https:\/\/app\.example\.net\/callback\?code=/)
  expect(stranger.text).toContain('Allow Stranger?')
})

test('what somebody agreed to is kept here and in no cookie; cookies are for us alone [SECX-01] [SECX-03]', async () => {
  const world = await openThirdParty()
  const browser = createBrowser(world.ours)
  const lines: string[] = []
  const watched = {
    ...browser,
    async request(url: string, init?: RequestInit) {
      const response = await browser.request(url, init)
      lines.push(...response.headers.getSetCookie())
      return response
    },
  }
  const asked = ask(issuer)
  await watched.request(asked.url)
  await goThrough(world, browser, asked)
  const { response } = await browser.follow(await watched.request(ask(issuer).url))

  expect(response.headers.get('location')).toContain('code=')
  expect([...browser.jar.keys()]).toContain('__Host-parley-session')
  expect([...browser.jar.keys()].filter((name) => /consent|grant|client/i.test(name))).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    expect(line).toMatch(/; secure/i)
    expect(line).toMatch(/; httponly/i)
    expect(line).toMatch(/; samesite=lax/i)
    expect(line).not.toMatch(/; domain=/i)
  }
})

test('a redirect URI other than the registered one is refused before anybody is asked [SECX-04] [R0326A-22]', async () => {
  const world = await openThirdParty()

  for (const uri of [`${redirectUri}/more`, `${redirectUri}?x=1`, 'https://app.example.net/']) {
    const at = await arrive(createBrowser(world.ours), ask(issuer, { redirect_uri: uri }))
    expect(at.response.status).toBe(400)
    expect(at.text).not.toContain('Continue with')
  }
})

test('there is no state before the person has agreed, and each is new [SECX-05]', async () => {
  const kinds: string[] = []
  const memory = createMemoryAuthServerStore()
  const store: typeof memory = {
    ...memory,
    set(kind, id, value, ttlMs) {
      kinds.push(kind)
      return memory.set(kind, id, value, ttlMs)
    },
  }
  const world = await openThirdParty({ store })
  const browser = createBrowser(world.ours)

  const departure = await press(browser, await arrive(browser, ask(issuer)), 'with-0')
  expect(kinds).not.toContain('Departure')

  const states = []
  for (let count = 0; count < 2; count += 1) {
    const url = new URL(onwardOf(await press(browser, departure, 'go-0')))
    states.push(url.searchParams.get('state'))
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
  }
  expect(kinds).toContain('Departure')
  expect(new Set(states).size).toBe(2)
  expect(states.every((state) => (state?.length ?? 0) >= 43)).toBe(true)
})

test('a state is good once, for ten minutes, in the browser that began [SECX-05]', async () => {
  let now = Date.now()
  const clock = { now: () => now }
  const world = await openThirdParty({ ...clock, store: createMemoryAuthServerStore(clock) })
  const begin = async () => {
    const browser = createBrowser(world.ours)
    const page = await arrive(browser, ask(issuer))
    const onward = onwardOf(await press(browser, await press(browser, page, 'with-0'), 'go-0'))
    const state = new URL(onward).searchParams.get('state') ?? ''
    return {
      browser,
      back: `${issuer}/sign-in-callback/example?code=stolen&state=${state}&iss=${elsewhere}`,
    }
  }

  const twice = await begin()
  const once = await returnFromProvider(twice.browser, twice.back)
  const again = await returnFromProvider(twice.browser, twice.back)

  const theirs = await begin()
  const stolen = await returnFromProvider(createBrowser(world.ours), theirs.back)

  const late = await begin()
  now += 10 * 60_000 + 1
  const tooLate = await returnFromProvider(late.browser, late.back)

  expect(once.response.status).toBe(403) // the code is nobody's, but the state was ours
  const rejected = [again, stolen, tooLate].map(({ response }) => response.status)
  expect(rejected).toEqual([400, 400, 400])
})

test('a state that comes back twice at once counts once [SECX-05]', async () => {
  const world = await openThirdParty()
  const browser = createBrowser(world.ours)
  const page = await arrive(browser, ask(issuer))
  const onward = onwardOf(await press(browser, await press(browser, page, 'with-0'), 'go-0'))
  const state = new URL(onward).searchParams.get('state') ?? ''
  const back = `${issuer}/sign-in-callback/example?code=stolen&state=${state}&iss=${elsewhere}`

  const both = await Promise.all([
    returnFromProvider(browser, back),
    returnFromProvider(browser, back),
  ])

  // The code is nobody's: the first is refused by the third party, the second is forged.
  expect(both.map(({ response }) => String(response.status)).toSorted()).toEqual(['400', '403'])
})

test.each([
  ['a no from the third party', { error: 'access_denied' }],
  ['a code of somebody else', { code: 'not-theirs' }],
])('%s leads back to the sign-in page', async (_what, answer) => {
  const world = await openThirdParty()
  const browser = createBrowser(world.ours)
  const departure = await press(browser, await arrive(browser, ask(issuer)), 'with-0')
  const onward = new URL(onwardOf(await press(browser, departure, 'go-0')))
  const query = new URLSearchParams({
    ...answer,
    state: onward.searchParams.get('state') ?? '',
    iss: elsewhere,
  })

  const at = await returnFromProvider(
    browser,
    `${issuer}/sign-in-callback/example?${query.toString()}`,
  )

  expect(at.response.status).toBe(403)
  expect(at.text).toContain('Example did not sign you in.')
  expect(world.ours.events.at(-1)).toMatchObject({ type: 'sign_in_failed' })
})

test('a third party that is away is said so, and nothing is lost [R0326A-22]', async () => {
  const world = await openThirdParty()
  const browser = createBrowser(world.ours)
  const page = await arrive(browser, ask(issuer))
  world.setDown(true)

  const rejected = await press(browser, await press(browser, page, 'with-0'), 'go-0')
  world.setDown(false)
  const onward = onwardOf(await press(browser, await press(browser, page, 'with-0'), 'go-0'))

  expect(rejected.text).toContain('Example cannot be reached')
  expect(onward).toContain(elsewhere)
})

test('whom the third party may send is for us to say', async () => {
  const world = await openThirdParty({}, { account: () => undefined })

  const at = await goThrough(world, createBrowser(world.ours), ask(issuer))

  expect(at.text).toContain('Your account at Example is not allowed to sign in here.')
})

test('our tokens end when the third party does not stand for somebody any more [R0326A-21]', async () => {
  let now = Date.now()
  const world = await openThirdParty({ now: () => now })
  const asked = ask(issuer, { scope: 'notes:read offline_access' })
  const at = await goThrough(world, createBrowser(world.ours), asked)
  const first = await redeem(world.ours, asked, at)
  const renew = (token: unknown) =>
    requestToken(world.ours, {
      grant_type: 'refresh_token',
      refresh_token: String(token),
      client_id: 'app',
    })

  now += 120_000 // their token has run out, and is renewed
  const second = await renew(first.body['refresh_token'])
  expect(second.status).toBe(200)
  expect(world.other.events.some(({ grant }) => grant === 'refresh_token')).toBe(true)

  now += 120_000
  world.setDown(true)
  const away = await renew(second.body['refresh_token'])
  expect(away.status).toBe(503) // nothing is proved, so nothing is taken away
  world.setDown(false)
  const third = await renew(second.body['refresh_token'])
  expect(third.status).toBe(200)

  now += 120_000
  world.closeAccount()
  const ended = await renew(third.body['refresh_token'])
  expect(ended.body).toMatchObject({ error: 'invalid_grant' })
})

test('what the third party gave us cannot be read in the store [R0326A-21] [R0326A-22]', async () => {
  const kept: unknown[] = []
  const memory = createMemoryAuthServerStore()
  const store: typeof memory = {
    ...memory,
    set(kind, id, value, ttlMs) {
      if (kind === 'Upstream') kept.push(value)
      return memory.set(kind, id, value, ttlMs)
    },
  }
  const world = await openThirdParty({ store })

  await goThrough(world, createBrowser(world.ours), ask(issuer))

  expect(kept).toMatchObject([{ encrypted: expect.stringMatching(/^[\w-]{60,}$/) }])
  expect(JSON.stringify(kept)).not.toMatch(/refresh|access_token/i)
})
