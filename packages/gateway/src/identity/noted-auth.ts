import { isAuthError } from '@parley/auth'
import type { ClientAuth } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'

import { IdentityRejection } from './identity-refusal.ts'

/** The credentials of a caller, and what a server last said of them. */
export interface NotedAuth {
  readonly auth: ClientAuth
  /** Why the last request was refused; undefined once one was taken. */
  rejection: IdentityRejection | undefined
  /** When, in milliseconds since the epoch. */
  rejectedAt: number
  /** How often so far. */
  rejections: number
}

/** Writes down why credentials are refused: what comes out of a connection says no more than that it failed. */
export function noteRejections(upstream: string, inner: ClientAuth): NotedAuth {
  const noted: NotedAuth = { auth: inner, rejection: undefined, rejectedAt: 0, rejections: 0 }

  function note(rejection: IdentityRejection): void {
    noted.rejection = rejection
    noted.rejectedAt = Date.now()
    noted.rejections += 1
  }

  return Object.assign(noted, {
    auth: {
      ...inner,
      async authorize(request) {
        try {
          return await inner.authorize(request)
        } catch (error) {
          note(rejectionOf(upstream, error))
          throw error
        }
      },
      async challenged(challenge) {
        try {
          const isSolved = await inner.challenged(challenge)
          if (!isSolved) note(plainRejection(upstream, challenge.status, challenge.wwwAuthenticate))
          return isSolved
        } catch (error) {
          note(rejectionOf(upstream, error))
          throw error
        }
      },
    } satisfies ClientAuth,
  })
}

function rejectionOf(upstream: string, error: unknown): IdentityRejection {
  const server = `the server ${JSON.stringify(upstream)}`
  if (isAuthError(error, 'grant_lost')) {
    const wanted = { scopes: [], isMore: false }
    return new IdentityRejection(upstream, `${server} needs you to sign in`, wanted)
  }
  if (isAuthError(error, 'insufficient_scope')) {
    const { scopes = [] } = error
    const named = scopes.filter((scope) => scope !== 'offline_access') // means nothing to people
    const what = named.length === 0 ? '' : `: ${named.join(' ')}`
    const wanted = { scopes, isMore: true }
    return new IdentityRejection(upstream, `${server} needs your consent to more${what}`, wanted)
  }
  const why = errorMessage(error)
  return new IdentityRejection(upstream, `${server} cannot be used as this caller: ${why}`)
}

/** A server that says what is missing says it to the caller. */
function plainRejection(
  upstream: string,
  status: 401 | 403,
  challenge: string | undefined,
): IdentityRejection {
  const server = `the server ${JSON.stringify(upstream)}`
  const scopes = /\bscope="([\x20-\x7e]{1,500}?)"/.exec(challenge ?? '')?.[1]
  const isScope = status === 403 && /\binsufficient_scope\b/.test(challenge ?? '')
  const why = isScope
    ? `${server} needs more scopes than this caller's token has${scopes === undefined ? '' : `: ${scopes}`}`
    : `${server} rejected the caller's token (${status})`
  return new IdentityRejection(upstream, why)
}
