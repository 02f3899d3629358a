import { randomBytes } from 'node:crypto'

import { isJsonObject } from '@parley/mcp/json'

import { providerCallbackPath } from '../provider/metadata.ts'
import type { Settings } from '../settings.ts'
import { createStoreLock } from '../stores/store-lock.ts'
import { createLinks } from './links.ts'
import {
  createProviderClient,
  type AuthorizationRequest,
  type ProviderClient,
  createProviderFetch,
} from './party-client.ts'
import { providerId, providerUrls, type SignInProvider } from './sign-in-provider.ts'
import { createUserTokens, type UserTokens } from './user-tokens.ts'

/** Somebody on their way to a provider. */
export interface Pending extends AuthorizationRequest {
  /** The id of the sign-in it belongs to. */
  readonly uid: string
  readonly clientId: string
  /** Which provider, by its id. */
  readonly provider: string
}

/** A provider, and us as its client. */
export interface Party {
  readonly id: string
  readonly provider: SignInProvider
  readonly client: ProviderClient
}

/** Those whose accounts people sign in with here, and what ties their accounts to ours. */
export interface SignInProviders {
  /** In the order of the buttons. */
  readonly providers: readonly Party[]
  /** The tokens of our users at providers. */
  readonly tokens: UserTokens
  /** Only after the person has agreed to the client. */
  begin(provider: Party, from: Pick<Pending, 'uid' | 'clientId'>): Promise<URL>
  /** Which sign-in an answer belongs to; it can still be taken. */
  find(state: string, provider: string): Promise<string | undefined>
  /** Returns the values sent along, and deletes them. */
  take(state: string): Promise<Pending | undefined>
}

const pendingMs = 10 * 60_000

export function createSignInProviders(settings: Settings, secret: string): SignInProviders {
  const { store, issuerUrl, basePath, signInWith, now } = settings
  const providers = signInWith.map((provider) => createParty(provider))
  const secrets = settings.secrets.length > 0 ? settings.secrets : [secret]
  const links = createLinks({ store, secrets, now })
  // Under a lock a provider is asked three times at most: for its metadata, for tokens, and whose they are.
  const slowestMs = Math.max(...signInWith.map(({ timeoutMs = 10_000 }) => timeoutMs), 10_000)
  const lock = createStoreLock(store, 4 * slowestMs)

  function createParty(provider: SignInProvider): Party {
    const id = providerId(provider)
    const redirectUri = `${issuerUrl.origin}${basePath}${providerCallbackPath}/${id}`
    const urls = Object.values(providerUrls(provider))
    const { timeoutMs } = provider
    const fetch = createProviderFetch({ given: settings.givenFetch, urls, timeoutMs })
    return { id, provider, client: createProviderClient(provider, { redirectUri, fetch, now }) }
  }

  async function read(state: string): Promise<Pending | undefined> {
    const pending = await store.get('Departure', state)
    return isPending(pending) ? pending : undefined
  }

  return {
    providers,
    tokens: createUserTokens({ providers, links, lock, settings }),

    async begin(provider, { uid, clientId }) {
      const [state, nonce, verifier] = [random(), random(), random()]
      const url = await provider.client.begin({ state, nonce, verifier })
      const pending: Pending = { state, nonce, verifier, uid, clientId, provider: provider.id }
      await store.set('Departure', state, pending, pendingMs)
      return url
    },

    async find(state, provider) {
      const pending = await read(state)
      // An answer that arrives where another provider's should is not for who was asked (RFC 9700 section 4.4.2).
      return pending?.provider === provider ? pending.uid : undefined
    },

    async take(state) {
      const pending = await read(state)
      if (pending === undefined) return undefined
      const isFirst = await store.add('Spent', `Departure\n${state}`, true, pendingMs)
      await store.delete('Departure', state)
      return isFirst ? pending : undefined
    },
  }
}

function isPending(value: unknown): value is Pending {
  if (!isJsonObject(value)) return false
  return ['state', 'nonce', 'verifier', 'uid', 'clientId', 'provider'].every(
    (name) => typeof value[name] === 'string',
  )
}

function random(): string {
  return randomBytes(32).toString('base64url')
}
