import { isAuthError } from '@parley/auth'
import { signOut, type SignOutOptions, type StoreKey, type TokenStore } from '@parley/auth/client'

import type { SignedOut } from '../../protocol/index.ts'
import type { Step } from './auth-record.ts'
import { requestWithToken } from './auth-tests.ts'

export interface SignOutContext {
  readonly url: string
  /** Where the grant is in the store, if it was seen there. */
  readonly key: StoreKey | undefined
  /** The access token that was in use. */
  readonly token: string | undefined
  readonly options: SignOutOptions & { readonly store: TokenStore }
  readonly onStep: (step: Step) => void
}

/** Takes the tokens back at the issuer, then looks whether the server still takes the one that was in use. */
export async function signOutOfServer(parts: SignOutContext): Promise<SignedOut> {
  const result = await takeBack(parts)
  if (parts.token === undefined || result.kind === 'absent') return result
  const status = await askAfterwards(parts, parts.token)
  return status === undefined ? result : { ...result, status }
}

async function takeBack({ url, key, options }: SignOutContext): Promise<SignedOut> {
  try {
    return await signOut(key ?? url, { ...options, network: 'any' })
  } catch (error) {
    if (!isAuthError(error)) throw error
    return { kind: 'failed', why: error.message } // who signed in for it cannot be asked
  }
}

async function askAfterwards(
  { url, onStep }: SignOutContext,
  token: string,
): Promise<number | undefined> {
  const answer = await requestWithToken(url, token).catch(() => undefined) // the server may be gone
  if (answer === undefined) return undefined
  const { status, challenge } = answer
  onStep({
    from: 'client',
    to: 'server',
    title: 'Does the server still accept the old token?',
    response: { status, ...(challenge && { 'www-authenticate': challenge }) },
  })
  return status
}
