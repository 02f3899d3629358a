import type { ClientAuth } from '@parley/mcp/client'

import { findChallenge, parseChallenges, type Challenge } from '../shared/challenge.ts'
import { splitScopes } from './tokens/scopes.ts'

/** The argument of the HTTP client's hook for 401 and 403. */
export type Rejected = Parameters<ClientAuth['challenged']>[0]

/** The reason for a rejection by a server. */
export type Rejection =
  | { readonly kind: 'nonce'; readonly nonce: string }
  | { readonly kind: 'sign-in'; readonly challenge: Challenge | undefined }
  | {
      readonly kind: 'more-scopes'
      readonly challenge: Challenge
      readonly scopes: readonly string[]
    }
  /** Nothing that other credentials would change. */
  | { readonly kind: 'final' }

/** Reads a refusal. Pure. */
export function readRejection({ status, wwwAuthenticate, dpopNonce }: Rejected): Rejection {
  const challenges = parseChallenges(wwwAuthenticate)
  const dpop = findChallenge(challenges, 'dpop')
  if (dpop?.parameters.get('error') === 'use_dpop_nonce' && dpopNonce) {
    return { kind: 'nonce', nonce: dpopNonce }
  }
  const challenge = findChallenge(challenges, 'bearer', 'dpop')
  if (status === 401) return { kind: 'sign-in', challenge }
  const scopes = splitScopes(challenge?.parameters.get('scope'))
  const isScope = challenge?.parameters.get('error') === 'insufficient_scope'
  return isScope && scopes !== undefined
    ? { kind: 'more-scopes', challenge, scopes }
    : { kind: 'final' }
}
