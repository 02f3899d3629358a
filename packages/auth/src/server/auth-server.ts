import type { IncomingMessage, ServerResponse } from 'node:http'

import type { AuthInfo } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import type { ProviderToken } from '../resource/upstream/provider-token.ts'
import type { SignInCaller } from './caller.ts'
import { jsonError } from './clients/registration.ts'
import { respondOnNode } from './node-handler.ts'
import type { AuthServerOptions } from './options.ts'
import { rejectionResponse } from './pages/refusal.ts'
import { configureProvider } from './provider/configuration.ts'
import { loadProvider } from './provider/load-provider.ts'
import { routes } from './provider/metadata.ts'
import { auditProvider } from './provider/provider-events.ts'
import { createRequestHandler, type Running } from './provider/request-handler.ts'
import { createRateLimit } from './rate-limit.ts'
import { resolveSettings, type Settings } from './settings.ts'
import { endSignIns } from './sign-in/sign-in-limits.ts'
import { createSignInProviders } from './third-party/third-parties.ts'
import { findProviderToken } from './third-party/user-tokens.ts'
import { addAssertionGrant } from './tokens/assertion-grant.ts'
import { noteIssuedTokens, rejectReplays } from './tokens/issued-tokens.ts'
import { rotateKeys, type KeySet } from './tokens/keys.ts'

/** An issuer in this process. Give it to `oauthGuard({ issuer })`, and its requests to `fetch` or `handler`. */
export interface AuthServer extends AsyncDisposable {
  /** The URL that tokens name as `iss`. */
  readonly issuer: string
  /** Where its public keys are. */
  readonly jwksUri: string
  /** The `typ` of its access tokens. */
  readonly acceptTyp: readonly string[]
  /** Answers requests to the issuer's address, with 404 for what is not its own. */
  fetch(request: Request, caller?: SignInCaller): Promise<Response>
  /** Ends all that somebody is signed in to: their browsers, and what clients renew. Access tokens that are out run out. */
  endSignIns(subject: string): Promise<void>
  /**
   * What a provider of `signInWith` gave us for a caller, refreshed when due, or when `refused` is the token at hand. `upstream()`
   * of `@parley/auth/resource` uses it. Rejects with `grant_lost` where the user has to sign in again.
   */
  upstream(
    auth: AuthInfo,
    provider: string,
    options?: { readonly rejected?: string | undefined },
  ): Promise<ProviderToken>
  /** The same as `fetch` for Node's HTTP server. */
  handler(request: IncomingMessage, response: ServerResponse): void
}

/** An authorization server for development and self-hosting. Needs the package `oidc-provider`. */
export async function createAuthServer(options: AuthServerOptions): Promise<AuthServer> {
  const settings = resolveSettings(options)
  const { issuer, basePath, issuerUrl, store, name, now, keyLifeMs: lifeMs, audit } = settings
  const answer = createRequestHandler(settings)
  const start = await createStart(settings)
  let running = start(await rotateKeys(store, { now: now(), lifeMs }))
  let rotating: Promise<void> | undefined

  /** Keys are looked at when somebody asks; there is nothing that would have to be stopped. */
  async function rotate(): Promise<void> {
    const keys = await rotateKeys(store, { now: now(), lifeMs })
    const [before] = running.keys.signing
    running = start(keys)
    if (keys.signing[0]?.kid !== before?.kid) audit({ type: 'keys_rotated' })
  }

  const server: AuthServer = {
    issuer,
    jwksUri: `${issuerUrl.origin}${basePath}${routes.jwks}`,
    acceptTyp: ['at+jwt'],

    async fetch(request, caller = {}) {
      try {
        if (now() >= running.keys.until) {
          rotating ??= rotate().finally(() => (rotating = undefined))
          await rotating
        }
        return await answer(request, running, caller)
      } catch (error) {
        const reason = errorMessage(error)
        audit({ type: 'failure', reason, address: caller.address })
        const isPage = request.headers.get('accept')?.includes('text/html')
        return isPage
          ? rejectionResponse(500, name, 'Something went wrong here.')
          : jsonError(500, 'server_error', 'something went wrong here')
      }
    },

    async endSignIns(subject) {
      await endSignIns(subject, settings)
      await running.signInProviders.tokens.forget(subject)
    },

    upstream: (auth, provider, { rejected } = {}) =>
      findProviderToken(auth, { provider, rejected }, { issuer, ...running.signInProviders }),

    handler(request, response) {
      void respondOnNode(request, response, { origin: issuerUrl.origin, answer: server.fetch })
    },

    async [Symbol.asyncDispose]() {
      await rotating
    },
  }
  return server
}

async function createStart(settings: Settings): Promise<(keys: KeySet) => Running> {
  const library = await loadProvider()
  const { Provider, errors } = library
  const documentLimit = createRateLimit({ max: 60, windowMs: 60_000, now: settings.now })
  return (keys) => {
    const signInProviders = createSignInProviders(settings, keys.secret)
    const configuration = configureProvider(settings, keys, {
      library,
      documentLimit,
      signInProviders,
    })
    const provider = new Provider(settings.issuer, configuration)
    rejectReplays(provider, settings)
    addAssertionGrant(provider, settings, errors)
    const flushTokens = noteIssuedTokens(provider, settings, signInProviders.tokens)
    auditProvider(provider, settings)
    return { provider, keys, signInProviders, answer: provider.callback(), resolve: flushTokens }
  }
}
