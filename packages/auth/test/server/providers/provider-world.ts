import { oauthGuard } from '@parley/auth/resource'
import type { AuthServerOptions, PresetOptions } from '@parley/auth/server'
import type { AuthInfo } from '@parley/mcp'

import { startAuthServer, type Harness, type TestBrowser } from '../harness.ts'
import {
  arrive,
  ask,
  createBrowser,
  issuer,
  onwardOf,
  press,
  redeem,
  requestToken,
  returnFromProvider,
  type Page,
} from '../third-party-world.ts'
import { behaviours, type Behaviour } from './behaviours.ts'
import { createFakeProvider, type FakeProvider } from './fake-provider.ts'

const resource = 'https://notes.example.com/mcp'

/** A server where people sign in with one of the providers we know, which is in this process. */
export interface ProviderWorld {
  readonly behaviour: Behaviour
  readonly provider: FakeProvider
  readonly ours: Harness
  /** As far as to the address of the provider. */
  depart(browser?: TestBrowser): Promise<Departed>
  /** The whole way; the caller that a handler sees, and our tokens. */
  signIn(browser?: TestBrowser): Promise<SignedIn>
  /** Who calls with a token of ours, as `oauthGuard` tells handlers. */
  caller(accessToken: unknown): Promise<AuthInfo>
  refresh(refreshToken: unknown): ReturnType<typeof requestToken>
}

export interface Departed {
  readonly browser: TestBrowser
  readonly asked: ReturnType<typeof ask>
  readonly onward: string
}

export interface SignedIn {
  readonly at: Page
  readonly body: Record<string, unknown>
  readonly auth: AuthInfo
}

export async function openProvider(
  name: string,
  options: Partial<AuthServerOptions> = {},
  more: Partial<PresetOptions> = {},
): Promise<ProviderWorld> {
  const behaviour = behaviours[name]
  if (behaviour === undefined) throw new Error(`no such provider: ${name}`)
  const provider = createFakeProvider(behaviour)
  const ours = await startAuthServer({
    users: undefined,
    signInWith: behaviour.preset({ clientId: 'our-id', clientSecret: 'our-secret', ...more }),
    fetch: provider.fetch,
    ...options,
  })
  const guard = oauthGuard({ issuer: ours.server, fetch: ours.server.fetch as typeof fetch }) // its keys are there

  async function caller(accessToken: unknown): Promise<AuthInfo> {
    const verdict = await guard.authenticate({
      method: 'POST',
      target: '/mcp',
      header: (header) =>
        header === 'authorization' ? `Bearer ${String(accessToken)}` : undefined,
      resource: new URL(resource),
    })
    if (verdict.kind !== 'allow' || verdict.auth === undefined)
      throw new Error(JSON.stringify(verdict))
    return verdict.auth
  }

  async function depart(browser = createBrowser(ours)): Promise<Departed> {
    const asked = ask(issuer, { scope: 'notes:read offline_access' })
    const page = await press(browser, await arrive(browser, asked), 'with-0')
    const onward = onwardOf(await press(browser, page, 'go-0'))
    return { browser, asked, onward }
  }

  return {
    behaviour,
    provider,
    ours,
    caller,
    depart,
    async signIn(given) {
      const { browser, asked, onward } = await depart(given)
      const at = await returnFromProvider(browser, provider.authorize(onward).href)
      const { body } = await redeem(ours, asked, at)
      return { at, body, auth: await caller(body['access_token']) }
    },
    refresh: (refreshToken) =>
      requestToken(ours, {
        grant_type: 'refresh_token',
        refresh_token: String(refreshToken),
        client_id: 'app',
      }),
  }
}

export { behaviours, createBrowser, issuer, returnFromProvider }
