import type { AuthServerOptions, OpenIdProvider } from '@parley/auth/server'

import {
  ada,
  ask,
  createBrowser,
  formTokenOf,
  issuer,
  redirectUri,
  requestToken,
  secret,
  signIn,
  startAuthServer,
  type PreparedRequest,
  type Harness,
  type TestBrowser,
} from './harness.ts'

export const elsewhere = 'https://accounts.example.org'

export interface Page {
  readonly response: Response
  readonly url: string
  readonly text: string
}

/** A server where people sign in with accounts of another one, which is real too. */
export async function openThirdParty(
  options: Partial<AuthServerOptions> = {},
  provider: Partial<OpenIdProvider> = {},
) {
  let isDown = false
  let isClosed = false
  const other = await startAuthServer({
    issuer: elsewhere,
    resources: ['https://files.example.org/'],
    scopes: undefined,
    accessTokenSeconds: 60,
    clients: [
      {
        clientId: 'us',
        clientSecret: secret,
        name: 'Our Server',
        redirectUris: [`${issuer}/sign-in-callback/example`],
      },
    ],
    users: {
      verify: ada.verify,
      find: async (subject) => (isClosed ? undefined : { subject, claims: { name: 'Ada' } }),
    },
  })
  const ours = await startAuthServer({
    users: undefined,
    signInWith: [
      {
        issuer: elsewhere,
        name: 'Example',
        clientId: 'us',
        clientSecret: secret,
        ...provider,
      },
    ],
    async fetch(input, init) {
      if (isDown) throw new TypeError('fetch failed')
      return other.server.fetch(new Request(input, init))
    },
    ...options,
  })

  return {
    other,
    ours,
    setDown(value: boolean) {
      isDown = value
    },
    /** Their account elsewhere is closed. */
    closeAccount() {
      isClosed = true
    },
  }
}

/** The sign-in page that a request leads to. */
export async function arrive(browser: TestBrowser, asked: PreparedRequest): Promise<Page> {
  return read(await browser.follow(await browser.get(asked.url)))
}

/** Presses a button of a page. */
export async function press(browser: TestBrowser, page: Page, answer: string): Promise<Page> {
  const form = { token: formTokenOf(page.text), answer }
  const { response, url } = await browser.follow(await browser.post(page.url, form))
  return read({ response, url: url === '' ? page.url : url })
}

/** Where a page takes the browser by itself. */
export function onwardOf({ response }: Page): string {
  return /^0; url=(.*)$/.exec(response.headers.get('refresh') ?? '')?.[1] ?? ''
}

/** Agrees, signs in elsewhere, and comes back; where the browser is in the end. */
export async function goThrough(
  { ours, other }: { readonly ours: Harness; readonly other: Harness },
  browser: TestBrowser,
  asked: PreparedRequest,
): Promise<Page> {
  const departure = await press(browser, await arrive(browser, asked), 'with-0')
  const onward = onwardOf(await press(browser, departure, 'go-0'))
  const back = await signIn(createBrowser(other), { url: onward, verifier: '' })
  if (!back.href.startsWith(ours.issuer)) throw new Error(`not led back: ${back.href}`)
  return returnFromProvider(browser, back.href)
}

/** Opens the address a third party sends people to, and goes on from there. */
export async function returnFromProvider(browser: TestBrowser, address: string): Promise<Page> {
  const landed = await read({ response: await browser.get(address), url: address })
  if (onwardOf(landed) === '') return landed
  return read(await browser.follow(await browser.get(onwardOf(landed))))
}

/** What a code is worth. */
export function redeem(harness: Harness, asked: PreparedRequest, at: Page) {
  const code = new URL(at.url).searchParams.get('code') ?? ''
  return requestToken(harness, {
    grant_type: 'authorization_code',
    code,
    client_id: 'app',
    redirect_uri: redirectUri,
    code_verifier: asked.verifier,
  })
}

async function read(found: { response: Response; url: string }): Promise<Page> {
  return { ...found, text: await found.response.text() }
}

export { ada, ask, createBrowser, issuer, redirectUri, requestToken }
