import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { html } from '../../src/server/pages/html.ts'
import {
  ask,
  createBrowser,
  formTokenOf,
  issuer,
  redirectUri,
  signIn,
  startAuthServer,
  type Harness,
  type TestBrowser,
} from './harness.ts'

async function openPage(browser: TestBrowser, parameters: Record<string, string | undefined> = {}) {
  const { response, url } = await browser.follow(await browser.get(ask(issuer, parameters).url))
  return { url, response, page: await response.text() }
}

/** As far as the page that asks for consent. */
async function openConsent(
  browser: TestBrowser,
  parameters: Record<string, string | undefined> = {},
) {
  const { url, page } = await openPage(browser, parameters)
  if (page.includes('value="allow"')) return { url, page }
  const form = {
    token: formTokenOf(page),
    name: 'ada',
    password: 'correct horse',
    answer: 'sign-in',
  }
  const next = await browser.follow(await browser.post(url, form))
  return { url: next.url, page: await next.response.text() }
}

async function openWith(harness: Harness, parameters: Record<string, string | undefined> = {}) {
  const browser = createBrowser(harness)
  return { browser, ...(await openConsent(browser, parameters)) }
}

/** What a consent page lists. */
function itemsOf(page: string): readonly string[] {
  return [...page.matchAll(/<li>([^<]*)/g)].map(([, text = '']) => text)
}

describe('a page', () => {
  test('loads nothing, runs nothing, is kept nowhere and framed by nobody', async () => {
    const { response, page } = await openPage(createBrowser(await startAuthServer()))

    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self';")
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(page).not.toMatch(/<script|javascript:|\son\w+=/i)
  })

  test('leads back to a client by a page of its own, which holds nothing but the way', async () => {
    const { browser, url, page } = await openWith(await startAuthServer(), {
      state: '"><script>alert(1)</script>',
    })

    const { response } = await browser.follow(
      await browser.post(url, { token: formTokenOf(page), answer: 'allow' }),
    )
    const last = await response.text()

    expect(response.status).toBe(200)
    expect(response.headers.get('refresh')).toMatch(
      /^0; url=https:\/\/app\.example\.net\/callback\?/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self';")
    expect(last).toContain('href="https://app.example.net/callback?')
    expect(last).not.toContain('<script')
  })

  test('lets a form lead to an app on the device, which is the end of the way', async () => {
    const app = { clientId: 'desk', redirectUris: ['com.example.desk:/callback'] }
    const harness = await startAuthServer({ clients: [app] })
    const browser = createBrowser(harness)
    const parameters = { client_id: 'desk', redirect_uri: 'com.example.desk:/callback' }
    const { response } = await openPage(browser, parameters)
    const { url, page } = await openConsent(browser, parameters)

    const { headers } = await browser.post(url, { token: formTokenOf(page), answer: 'allow' })
    const last = await browser.get(headers.get('location') ?? '')

    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' com.example.desk:;",
    )
    expect(last.status).toBe(303)
    expect(last.headers.get('location')).toMatch(/^com\.example\.desk:\/callback\?/)
  })

  test('sets cookies that scripts and other sites cannot use', async () => {
    const harness = await startAuthServer()
    const cookies: string[] = []
    const browser = createBrowser(harness)
    const seen = await browser.get(ask(issuer).url)
    cookies.push(...seen.headers.getSetCookie())
    const { url, page } = await openPage(browser)
    const form = {
      token: formTokenOf(page),
      name: 'ada',
      password: 'correct horse',
      answer: 'sign-in',
    }
    const resume = await browser.post(url, form)
    cookies.push(
      ...(await browser.get(resume.headers.get('location') ?? '')).headers.getSetCookie(),
    )

    const kept = cookies.filter((cookie) => !/expires=thu, 01 jan 1970/i.test(cookie))
    expect(kept.length).toBeGreaterThan(4)
    for (const cookie of kept) {
      expect(cookie).toMatch(/^__(?:Host|Secure)-/)
      expect(cookie.toLowerCase()).toContain('; secure')
      expect(cookie.toLowerCase()).toContain('; httponly')
      expect(cookie.toLowerCase()).toContain('; samesite=lax')
    }
    expect(kept.some((cookie) => /^__Host-parley-session=.*path=\/;/i.test(cookie))).toBe(true)
  })

  test('escapes whatever is put into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { html: page } = html`<p title="${text}">${text}</p>`
        const inner = page.slice('<p title="'.length, -'</p>'.length)
        const [attribute = '', content = ''] = inner.split('">')
        expect(attribute).not.toMatch(/[<>"']/)
        expect(content).not.toMatch(/[<>"']/)
      }),
    )
  })
})

describe('signing in', () => {
  test('shows the page again, without the password, when it is wrong', async () => {
    const harness = await startAuthServer()
    const browser = createBrowser(harness)
    const { url, page } = await openPage(browser)

    const response = await browser.post(url, {
      token: formTokenOf(page),
      name: 'ada',
      password: 'wrong-password-canary',
      answer: 'sign-in',
    })

    const again = await response.text()
    expect(response.status).toBe(403)
    expect(again).toContain('role="alert"')
    expect(again).toContain('value="ada"')
    expect(again).not.toContain('canary')
    expect(JSON.stringify(harness.events)).not.toContain('canary')
  })

  test('tells the client when somebody cancels', async () => {
    const browser = createBrowser(await startAuthServer())
    const { url, page } = await openPage(browser)

    const end = await browser.follow(
      await browser.post(url, { token: formTokenOf(page), answer: 'cancel' }),
    )

    expect(new URL(end.url).searchParams.get('error')).toBe('access_denied')
  })

  test('is slowed down after ten wrong passwords, for that name alone', async () => {
    let time = 1_800_000_000_000
    const harness = await startAuthServer({ now: () => time })
    const browser = createBrowser(harness)
    const { url, page } = await openPage(browser)
    const token = formTokenOf(page)
    const guess = (name: string, password: string) =>
      browser.post(url, { token, name, password, answer: 'sign-in' })

    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1)
      statuses.push((await guess('Ada', `guess ${count}`)).status)
    const right = await guess('ada', 'correct horse')
    const somebody = await guess('bob', 'any')
    time += 15 * 60_000
    const later = await guess('ada', 'correct horse')

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    expect(right.status).toBe(429)
    expect(right.headers.get('retry-after')).toBe('900')
    expect(somebody.status).toBe(403)
    expect(later.status).toBe(303)
    expect(harness.events.map(({ type }) => type)).toContain('sign_in_limited')
  })
})

test('signing in waits when very many passwords are checked at once', async () => {
  const waiting: (() => void)[] = []
  const harness = await startAuthServer({
    users: { verify: () => new Promise((resolve) => waiting.push(() => resolve(undefined))) },
  })
  const browser = createBrowser(harness)
  const { url, page } = await openPage(browser)
  const guess = (name: string) => {
    return browser.post(url, { token: formTokenOf(page), name, password: 'x', answer: 'sign-in' })
  }

  const attempts = Array.from({ length: 20 }, (_, index) => guess(`person ${index}`))
  await vi.waitUntil(() => waiting.length === 20)
  const late = await guess('late')
  for (const release of waiting) release()
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)

  expect(late.status).toBe(503)
  expect(new Set(statuses)).toEqual(new Set([403]))
})

describe('consent', () => {
  test('shows who asks, for what, and where the answer goes [N11-AUTH-10]', async () => {
    const { page } = await openWith(await startAuthServer(), { scope: 'notes:read notes:write' })

    for (const shown of [
      'The App',
      'app.example.net',
      'https://notes.example.com/mcp',
      'read your notes',
      'change your notes',
      'Signed in as <strong>ada</strong>',
    ]) {
      expect(page).toContain(shown)
    }
    expect(page).not.toContain('class="warn"')
  })

  test('warns of programs on the machine itself [N11-AUTH-10]', async () => {
    const { page } = await openWith(await startAuthServer(), {
      client_id: 'tool',
      redirect_uri: 'http://127.0.0.1:4000/callback',
    })

    expect(page).toContain('class="warn"')
    expect(page).toContain('127.0.0.1:4000')
  })

  test('tells the client of a no', async () => {
    const harness = await startAuthServer()
    const { browser, url, page } = await openWith(harness)

    const end = await browser.follow(
      await browser.post(url, { token: formTokenOf(page), answer: 'deny' }),
    )

    const { searchParams } = new URL(end.url)
    expect(searchParams.get('error')).toBe('access_denied')
    expect(searchParams.get('iss')).toBe(issuer)
    expect(searchParams.has('code')).toBe(false)
    expect(harness.events.map(({ type }) => type)).toContain('consent_refused')
  })

  test('lists nothing that the client cannot get [N11-AUTH-10]', async () => {
    const app = { clientId: 'app', redirectUris: [redirectUri], scopes: ['notes:read'] }
    const harness = await startAuthServer({ clients: [app] })

    const { page } = await openWith(harness, { scope: 'notes:read notes:write openid' })

    expect(itemsOf(page)).toEqual(['read your notes', 'know who you are'])
  })

  test('is asked for again by a client that wants to know who somebody is', async () => {
    const browser = createBrowser(await startAuthServer())
    await signIn(browser, ask(issuer))

    const more = await openPage(browser, { scope: 'notes:read openid' })
    await signIn(browser, ask(issuer, { scope: 'notes:read openid' }))
    const same = await browser.get(ask(issuer, { scope: 'openid notes:read' }).url)
    const less = await browser.get(ask(issuer).url)

    expect(itemsOf(more.page)).toEqual(['read your notes', 'know who you are'])
    expect(same.headers.get('location')).toContain('code=')
    expect(less.headers.get('location')).toContain('code=')
  })

  test('is remembered for a client of the web, for what was allowed and no more', async () => {
    const browser = createBrowser(await startAuthServer())
    await signIn(browser, ask(issuer))

    const same = await browser.follow(await browser.get(ask(issuer).url))
    const more = await openPage(browser, { scope: 'notes:read notes:write' })

    expect(new URL(same.url).searchParams.has('code')).toBe(true)
    expect(more.page).toContain('value="allow"')
  })

  test('is asked for each time by a program on a machine, whose place others can take', async () => {
    const browser = createBrowser(await startAuthServer())
    const parameters = { client_id: 'tool', redirect_uri: 'http://127.0.0.1:4000/callback' }
    await signIn(browser, ask(issuer, parameters))

    const { page } = await openPage(browser, parameters)

    expect(page).toContain('value="allow"')
  })

  test('can be given as somebody else', async () => {
    const { browser, url, page } = await openWith(await startAuthServer())

    const next = await browser.follow(
      await browser.post(url, { token: formTokenOf(page), answer: 'switch' }),
    )

    expect(await next.response.text()).toContain('name="password"')
  })

  test('writes the name of a client as text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202Egpj'
    const clients = [{ clientId: 'app', name, redirectUris: [redirectUri] }]

    const { page } = await openWith(await startAuthServer({ clients }))

    expect(page).toContain('&lt;img src=x')
    expect(page).not.toContain('<img')
    expect(page).not.toContain('\u202E')
  })
})

describe('attack: forged forms', () => {
  test.each([
    ['without the token of the page', { answer: 'allow' }, {}],
    ['with another token', { answer: 'allow', token: 'A'.repeat(43) }, {}],
  ])('consent %s is refused', async (_, form, headers) => {
    const harness = await startAuthServer()
    const { browser, url } = await openWith(harness)

    const response = await browser.post(url, form, headers)

    expect(response.status).toBe(403)
    expect(harness.events.map(({ type }) => type)).toContain('request_forged')
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('consent from another site is refused even with the token: %o', async (headers) => {
    const { browser, url, page } = await openWith(await startAuthServer())

    const response = await browser.post(url, { token: formTokenOf(page), answer: 'allow' }, headers)

    expect(response.status).toBe(403)
  })

  test('the token of the sign-in page is not good for consent', async () => {
    const browser = createBrowser(await startAuthServer())
    const first = await openPage(browser)
    const second = await openConsent(browser)

    const response = await browser.post(second.url, {
      token: formTokenOf(first.page),
      answer: 'allow',
    })

    expect(response.status).toBe(403)
  })

  test('the cookies of one sign-in are not good for the page of another', async () => {
    const harness = await startAuthServer()
    const [own, other] = [createBrowser(harness), createBrowser(harness)]
    await openPage(own)
    const { url, page } = await openPage(other)
    const cookie = [...own.jar].map(([name, { value }]) => `${name}=${value}`).join('; ')

    const shown = await harness.server.fetch(new Request(url, { headers: { cookie } }))
    const sent = await harness.server.fetch(
      new Request(url, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams({ token: formTokenOf(page), answer: 'cancel' }),
      }),
    )

    expect([shown.status, sent.status]).toEqual([400, 400])
  })

  test('a page is only for the browser that began, and only while it lasts', async () => {
    const harness = await startAuthServer()
    const { browser, url, page } = await openWith(harness)
    const stranger = createBrowser(harness)

    const form = { token: formTokenOf(page), answer: 'allow' }
    const foreign = await stranger.post(url, form)
    const rightful = await browser.post(url, form)
    await browser.follow(rightful)
    const late = await browser.post(url, form)

    expect([foreign.status, rightful.status, late.status]).toEqual([400, 303, 400])
  })
})
