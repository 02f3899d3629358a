import type { Account, AccessToken, ClientCredentials, errors as Errors } from 'oidc-provider'

import { isJsonObject, type JsonObject } from '../shared/json.ts'
import type { Settings } from './settings.ts'
import type { ThirdParties } from './third-party/third-parties.ts'
import type { Account as OwnAccount } from './users.ts'

/** Longer than any grant. */
const keepMs = 100 * 86_400_000

/** What tokens say by themselves; an account does not overrule it. */
const reserved = new Set(
  'iss sub aud exp nbf iat jti client_id scope cnf act azp sid auth_time nonce acr amr may_act events typ'.split(
    ' ',
  ),
)

/** Keeps what was said about somebody when they signed in. */
export async function keepAccount(
  { subject, claims = {} }: OwnAccount,
  { store }: Settings,
): Promise<void> {
  await store.set('Account', subject, { subject, claims }, keepMs)
}

/** Undefined for somebody who may not sign in any more: their tokens end, and they have to sign in again. */
export async function findAccount(
  subject: string,
  {
    settings,
    parties,
    errors,
  }: {
    readonly settings: Settings
    readonly parties: ThirdParties
    readonly errors: typeof Errors
  },
): Promise<Account | undefined> {
  const stands = await parties.standsFor(subject).catch((cause: unknown) => {
    const why = 'who you signed in with cannot be asked just now'
    const error = new errors.CustomOIDCProviderError('temporarily_unavailable', why, { cause })
    throw Object.assign(error, { status: 503, statusCode: 503 }) // where it is not sent on by a redirect
  })
  if (!stands) return undefined
  const claims = await findClaims(subject, settings)
  if (claims === undefined) return undefined
  return { accountId: subject, claims: async () => ({ ...claims, sub: subject }) }
}

/** What an access token says about its person beyond who that is. */
export async function tokenClaims(
  token: AccessToken | ClientCredentials,
  settings: Settings,
): Promise<Record<string, unknown> | undefined> {
  if (!('accountId' in token) || token.accountId === undefined) return undefined
  const claims = await findClaims(token.accountId, settings)
  return claims === undefined ? undefined : { ...claims }
}

async function findClaims(
  subject: string,
  { users, store }: Settings,
): Promise<JsonObject | undefined> {
  const isOurs = users.find !== undefined && (await store.get('ThirdParty', subject)) === undefined
  const found = isOurs ? await users.find?.(subject) : await store.get('Account', subject)
  if (!isJsonObject(found)) return undefined
  const claims: unknown = found['claims'] ?? {}
  const entries = isJsonObject(claims) ? Object.entries(claims) : []
  return Object.fromEntries(entries.filter(([name]) => !reserved.has(name)))
}
