import {
  beginSignIn,
  completeSignIn,
  createMemoryTokenStore,
  type StartedSignIn,
  type TokenStore,
} from '@parley/auth/client'
import type { AuthInfo } from '@parley/mcp'
import type { ClientAuth } from '@parley/mcp/client'
import type { HttpGuard, HttpGuardRequest } from '@parley/mcp/http'
import { BoundedMap } from '@parley/mcp/internal'

import { keyPage, redirect } from './sign-in-pages.ts'

/** How the person at a browser shows to be a caller of the gateway: whoever gets hold of a link of another must not use it. */
export interface BrowserProof {
  /** Who it is, where the request says so; else what to answer. */
  ask(request: Request, about: AskedProof): Promise<Asked>
  /** Who came back from the issuer, and for which link. */
  answer(request: Request): Promise<{ readonly id: string; readonly auth: AuthInfo } | undefined>
}

/** What is asked for. */
export interface AskedProof {
  /** The link. */
  readonly id: string
  readonly upstream: string
}

type Asked =
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'known'; readonly auth: AuthInfo }

/** What it needs to know of the gateway. */
export interface BrowserProofOptions {
  readonly guard: HttpGuard
  /** The public address. */
  readonly url: URL
  /** Where the gateway's issuer sends people back to. */
  readonly callback: URL
  readonly client?: ProofClient | undefined
}

/** Who the gateway is at the issuer of its callers. */
export interface ProofClient {
  /** The client id that was registered there. */
  readonly clientId: string
  /** Its secret. @defaultValue a public client */
  readonly clientSecret?: string | undefined
}

/** Keys are entered; who has tokens signs in at the issuer that they are from. */
export function createBrowserProof(options: BrowserProofOptions): BrowserProof {
  return options.guard.route === undefined ? keyProof(options) : issuerProof(options)
}

function keyProof({ guard, url }: BrowserProofOptions): BrowserProof {
  return {
    async ask(request, { upstream }) {
      if (request.method !== 'POST') return { kind: 'response', response: keyPage(upstream) }
      const key = await keyIn(request)
      const auth = key && (await verified(guard, url, { 'x-api-key': key }))
      if (auth) return { kind: 'known', auth }
      return {
        kind: 'response',
        response: keyPage(upstream, 'The gateway does not know this key.'),
      }
    },
    answer: async () => undefined,
  }
}

/** No more than a key is read. */
async function keyIn(request: Request): Promise<string | undefined> {
  if (request.headers.get('origin') !== null && !isSameOrigin(request)) return undefined
  const length = Number(request.headers.get('content-length') ?? NaN)
  if (!(length <= 4_096)) return undefined
  return new URLSearchParams(await request.text()).get('key')?.trim() || undefined
}

function isSameOrigin(request: Request): boolean {
  return request.headers.get('origin') === new URL(request.url).origin
}

/** The gateway is a client of itself: the token that the person gets for it is looked at by its own guard. */
function issuerProof({ guard, url, callback, client }: BrowserProofOptions): BrowserProof {
  const shared = createMemoryTokenStore()
  const waiting = new BoundedMap<string, Waiting>(1_000)
  const common = { ...client, clientName: 'Parley gateway', dpop: 'off', network: 'any' } as const

  return {
    async ask(_, { id }) {
      const store = ownGrants(shared)
      const signIn = await beginSignIn(url, { ...common, store, redirectUri: callback.href })
      waiting.set(signIn.state, { id, signIn, store })
      return { kind: 'response', response: redirect(signIn.authorizationUrl) }
    },
    async answer(request) {
      const input = new URL(request.url)
      const state = input.searchParams.get('state') ?? ''
      const found = waiting.get(state)
      if (found === undefined) return undefined
      waiting.delete(state)
      const arrived = new URL(callback)
      arrived.search = input.search
      const { id, signIn, store } = found
      const granted = await completeSignIn(signIn, arrived, { ...common, store })
      const auth = await verified(guard, url, await headersOf(granted, url))
      return auth && { id, auth }
    },
  }
}

interface Waiting {
  readonly id: string
  readonly signIn: StartedSignIn
  readonly store: TokenStore
}

/** A registration is good for everybody; what one person is granted is forgotten with them, and mixed up with nobody's. */
function ownGrants(shared: TokenStore): TokenStore {
  const own = createMemoryTokenStore()
  const at = ({ kind }: { readonly kind: string }) => (kind === 'grant' ? own : shared)
  return {
    get: (key) => at(key).get(key),
    set: (key, ...rest) => at(key).set(key, ...rest),
    delete: (key, ...rest) => at(key).delete(key, ...rest),
    withLock: (key, ...rest) => at(key).withLock(key, ...rest),
  }
}

/** What a request of that person would carry. */
async function headersOf(auth: ClientAuth, url: URL): Promise<{ readonly [name: string]: string }> {
  await auth.challenged({
    status: 401,
    url,
    server: url,
    wwwAuthenticate: undefined,
    dpopNonce: undefined,
    given: {},
    attempt: 1,
    signal: AbortSignal.timeout(30_000),
  })
  return auth.authorize({ method: 'POST', url, server: url })
}

async function verified(
  guard: HttpGuard,
  resource: URL,
  headers: { readonly [name: string]: string },
): Promise<AuthInfo | undefined> {
  const request: HttpGuardRequest = {
    method: 'POST',
    target: resource.pathname,
    resource,
    header: (name) => headers[name.toLowerCase()],
  }
  const verdict = await guard.authenticate(request)
  return verdict.kind === 'allow' ? verdict.auth : undefined
}
