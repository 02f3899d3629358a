import { createHash, randomBytes } from 'node:crypto'

import {
  type AuthAuditEvent,
  type AuthServer,
  type AuthServerOptions,
  createAuthServer,
  createMemoryAuthServerStore,
  type UserDirectory,
} from '@parley/auth/server'

export const issuer = 'https://login.example.com'
export const resource = 'https://notes.example.com/mcp'
export const redirectUri = 'https://app.example.net/callback'
export const secret = 'a secret that is long enough for anybody'

/** One person, without the cost of hashing. */
export const ada: UserDirectory = {
  async verify(name, password) {
    const isRight = name === 'ada' && password === 'correct horse'
    return isRight ? { subject: 'person-1', claims: { name: 'Ada' } } : undefined
  },
}

export interface Harness {
  readonly server: AuthServer
  readonly events: readonly AuthAuditEvent[]
  readonly issuer: string
}

/** An authorization server with three known clients and nothing but memory. */
export async function startAuthServer(options: Partial<AuthServerOptions> = {}): Promise<Harness> {
  const events: AuthAuditEvent[] = []
  const server = await createAuthServer({
    issuer,
    resources: [resource],
    users: ada,
    store: createMemoryAuthServerStore(),
    scopes: { 'notes:read': 'read your notes', 'notes:write': 'change your notes' },
    clients: [
      { clientId: 'app', name: 'The App', redirectUris: [redirectUri] },
      { clientId: 'tool', name: 'A Tool', redirectUris: ['http://127.0.0.1/callback'] },
      { clientId: 'robot', clientSecret: secret, scopes: ['notes:read'] },
    ],
    audit: (event) => events.push(event),
    fetch: async () => new Response('nothing', { status: 404 }),
    ...options,
  })
  return { server, events, issuer: options.issuer ?? issuer }
}

/** Keeps cookies as a browser does, by path, and follows nothing by itself. */
export function createBrowser({ server, issuer: base }: Harness) {
  const jar = new Map<string, { value: string; path: string }>()

  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, base)
    const cookies = [...jar]
      .filter(([, { path }]) => target.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
    const headers = new Headers(init.headers)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    const response = await server.fetch(new Request(target, { ...init, headers }))
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
      if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, { value, path })
    }
    return response
  }

  return {
    request,
    jar,
    get: (url: string) => request(url),
    post: (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      request(url, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { origin: new URL(base).origin, ...headers },
      }),
    /** Follows redirects within the issuer. */
    async follow(response: Response): Promise<{ response: Response; url: string }> {
      let current = response
      let url = ''
      for (let hops = 0; hops < 10; hops += 1) {
        const location = current.headers.get('location')
        if (location === null) return { response: current, url }
        url = new URL(location, base).href
        if (!url.startsWith(new URL(base).origin)) return { response: current, url }
        current = await request(url)
      }
      throw new Error('too many redirects')
    },
  }
}
export type TestBrowser = ReturnType<typeof createBrowser>

export interface PreparedRequest {
  readonly verifier: string
  readonly url: string
}

/** An authorization request with PKCE. */
export function ask(
  base: string,
  parameters: Record<string, string | undefined> = {},
): PreparedRequest {
  const verifier = randomBytes(32).toString('base64url')
  const all = {
    response_type: 'code',
    client_id: 'app',
    redirect_uri: redirectUri,
    state: 'some state',
    scope: 'notes:read',
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value)
  return { verifier, url: `${base}/authorize?${query.toString()}` }
}

/** The hidden token of the form on a page. */
export function formTokenOf(page: string): string {
  return /name="token" value="([\w-]+)"/.exec(page)?.[1] ?? ''
}

/** Goes through both pages; where the browser is sent in the end. */
export async function signIn(browser: TestBrowser, asked: PreparedRequest): Promise<URL> {
  let { response, url } = await browser.follow(await browser.get(asked.url))
  for (let pages = 0; pages < 2 && response.headers.get('location') === null; pages += 1) {
    const page = await response.text()
    const token = formTokenOf(page)
    const form = page.includes('name="password"')
      ? { token, name: 'ada', password: 'correct horse', answer: 'sign-in' }
      : { token, answer: 'allow' }
    ;({ response, url } = await browser.follow(await browser.post(url, form)))
  }
  return new URL(url)
}

/** Asks the token endpoint. */
export async function requestToken(
  { server, issuer: base }: Harness,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await server.fetch(
    new Request(`${base}/token`, { method: 'POST', body: new URLSearchParams(form), headers }),
  )
  const body = (await response.json()) as Record<string, unknown> // always an object
  return { status: response.status, body, headers: response.headers }
}

/** The whole way to a token for the client `app`. */
export async function obtainToken(harness: Harness, parameters: Record<string, string> = {}) {
  const asked = ask(harness.issuer, parameters)
  const callback = await signIn(createBrowser(harness), asked)
  const code = callback.searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: parameters['client_id'] ?? 'app',
    redirect_uri: parameters['redirect_uri'] ?? redirectUri,
    code_verifier: asked.verifier,
  }
  return { code, form, callback, ...(await requestToken(harness, form)) }
}
