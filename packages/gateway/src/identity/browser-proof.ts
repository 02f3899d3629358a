/**
 * Lets the person at a browser prove to be a caller of the gateway, before they sign in to a server behind it: with a key, or by
 * signing in at the issuer of the callers. A link that somebody else gets hold of is of no use without the proof.
 */

import {
  beginSignIn,
  completeSignIn,
  createMemoryTokenStore,
  type StartedSignIn,
  type StoreKey,
  type TokenStore,
} from '@parley/auth/client'
import type { AuthInfo } from '@parley/mcp'
import type { ClientAuth } from '@parley/mcp/client'
import type { HttpGuard, HttpGuardRequest } from '@parley/mcp/http'

import { keyPage, redirect } from './sign-in-pages.ts'
import { nameOf, type SignInState } from './sign-in-state.ts'

/** How the person at a browser shows to be a caller of the gateway: whoever gets hold of a link of another must not use it. */
export interface BrowserProof {
  /** Returns the person, if the request identifies them; else the response. */
  ask(request: Request, about: RequestedProof): Promise<PreparedRequest>
  /** Returns the person who came back from the issuer, and their link. */
  answer(request: Request): Promise<{ readonly id: string; readonly auth: AuthInfo } | undefined>
}

/** The proof that is requested. */
export interface RequestedProof {
  /** The link. */
  readonly id: string
  readonly upstream: string
}

type PreparedRequest =
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'known'; readonly auth: AuthInfo }

/** Settings of the gateway that it needs. */
export interface BrowserProofOptions {
  readonly guard: HttpGuard
  /** The public address. */
  readonly url: URL
  /** Where the gateway's issuer sends people back to. */
  readonly callback: URL
  readonly client?: ProofClient | undefined
  /** Where it is remembered which link somebody signs in for. */
  readonly state: SignInState
  /** Where the gateway's registration at its issuer is kept; for several processes it is one that all have. */
  readonly registrations: TokenStore
}

/** The gateway's client at the issuer of its callers. */
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
function issuerProof(options: BrowserProofOptions): BrowserProof {
  const { guard, url, callback, client, state, registrations } = options
  const common = { ...client, clientName: 'Parley gateway', dpop: 'off', network: 'any' } as const

  return {
    async ask(_, { id }) {
      const store = ownGrants(registrations)
      const signIn = await beginSignIn(url, { ...common, store, redirectUri: callback.href })
      await state.set('proof', nameOf(signIn.state), { id, signIn } satisfies Waiting)
      return { kind: 'response', response: redirect(signIn.authorizationUrl) }
    },
    async answer(request) {
      const input = new URL(request.url)
      const name = nameOf(input.searchParams.get('state') ?? '')
      const found = (await state.take('proof', name)) as Waiting | undefined // as it is written above
      if (found === undefined) return undefined
      const arrived = new URL(callback)
      arrived.search = input.search
      const { id, signIn } = found
      const store = ownGrants(registrations)
      const granted = await completeSignIn(signIn, arrived, { ...common, store })
      const auth = await verified(guard, url, await headersOf(granted, url))
      return auth && { id, auth }
    },
  }
}

interface Waiting {
  readonly id: string
  readonly signIn: StartedSignIn
}

/** Whose registration it is: the one for signing callers in to servers has another address to come back to. */
const proofAccount = 'gateway-proof'

/** A registration is good for everybody; what one person is granted is forgotten with them, and mixed up with nobody's. */
function ownGrants(shared: TokenStore): TokenStore {
  const own = createMemoryTokenStore()
  const at = ({ kind }: StoreKey) => (kind === 'grant' ? own : shared)
  const as = (key: StoreKey) => ({ ...key, account: proofAccount })
  return {
    get: (key) => at(key).get(as(key)),
    set: (key, ...rest) => at(key).set(as(key), ...rest),
    delete: (key, ...rest) => at(key).delete(as(key), ...rest),
    withLock: (key, ...rest) => at(key).withLock(as(key), ...rest),
  }
}

/** Returns the headers that a request of that person would have. */
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
  const decision = await guard.authenticate(request)
  return decision.kind === 'allow' ? decision.auth : undefined
}
