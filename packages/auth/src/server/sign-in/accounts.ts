import { isJsonObject } from '@parley/mcp/json'
import type {
  Account,
  AccessToken,
  ClientCredentials,
  FindAccount,
  errors as Errors,
} from 'oidc-provider'

import type { Settings } from '../settings.ts'
import type { SignInProviders } from '../third-party/third-parties.ts'
import { endOfSignIns, timeAfter, timeOfSignIn } from './sign-in-limits.ts'
import type { UserAccount as OwnAccount } from './users.ts'

/** Longer than any grant. */
const keepMs = 100 * 86_400_000

/** The claims that tokens set themselves; an account cannot overrule them. */
const reserved = new Set(
  'iss sub aud exp nbf iat jti client_id scope cnf act azp sid auth_time nonce acr amr may_act events typ grant_id'.split(
    ' ',
  ),
)

/** Keeps what was said about somebody when they signed in, and the name that they typed. */
export async function keepAccount(
  { subject, claims = {} }: OwnAccount,
  { store }: Settings,
  typedName?: string,
): Promise<void> {
  const signedInAs = typedName === undefined ? {} : { signedInAs: typedName }
  await store.set('Account', subject, { subject, claims, ...signedInAs }, keepMs)
}

/** Undefined for somebody who may not sign in any more: their tokens end, and they have to sign in again. */
export async function findAccount(
  [context, subject, token]: Parameters<FindAccount>,
  {
    settings,
    signInProviders,
    errors,
  }: {
    readonly settings: Settings
    readonly signInProviders: SignInProviders
    readonly errors: typeof Errors
  },
): Promise<Account | undefined> {
  const stands = await signInProviders.tokens.standsFor(subject).catch((cause: unknown) => {
    const why = 'the service you signed in with cannot be reached right now'
    const error = new errors.CustomOIDCProviderError('temporarily_unavailable', why, { cause })
    throw Object.assign(error, { status: 503, statusCode: 503 }) // where it is not sent on by a redirect
  })
  if (!stands) return undefined
  const person = await findPerson(subject, settings)
  if (person === undefined) return undefined
  const signedInAt = timeOfSignIn(context, token)
  const endedAt = await endOfSignIns(person, settings)
  if (signedInAt !== undefined && signedInAt * 1000 <= endedAt) return undefined
  return { accountId: subject, claims: async () => ({ ...claimsOf(person), sub: subject }) }
}

/** When somebody who signs in now did so, in seconds. */
export async function signInTime(subject: string, settings: Settings): Promise<number> {
  const person = (await findPerson(subject, settings)) ?? { subject }
  return timeAfter(await endOfSignIns(person, settings))
}

/** Returns the claims of an access token about its person, besides the subject. */
export async function tokenClaims(
  token: AccessToken | ClientCredentials,
  settings: Settings,
): Promise<Record<string, unknown> | undefined> {
  if (!('accountId' in token) || token.accountId === undefined) return undefined
  const person = await findPerson(token.accountId, settings)
  if (person === undefined) return undefined
  // By which `upstream()` finds what the user's provider gave us, for as long as the grant lasts.
  const grant = settings.signInWith.length > 0 ? { grant_id: token.grantId } : {}
  return { ...claimsOf(person), ...grant }
}

/** Undefined for somebody who is not known, or not any more. */
async function findPerson(
  subject: string,
  { users, store }: Settings,
): Promise<OwnAccount | undefined> {
  const isOurs = users.find !== undefined && (await store.get('ThirdParty', subject)) === undefined
  const found = isOurs ? await users.find?.(subject) : await store.get('Account', subject)
  if (!isJsonObject(found)) return undefined
  const { claims, signedOutAt } = found
  return {
    subject,
    ...(isJsonObject(claims) && { claims }),
    ...(typeof signedOutAt === 'number' && { signedOutAt }),
  }
}

function claimsOf({ claims = {} }: OwnAccount): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !reserved.has(name)))
}
