import type { ClientAuth } from '../../../client/client-auth.ts'
import { unauthorized } from './answer-failures.ts'
import type { HttpResponse, HttpHeaders } from './http-request.ts'

/** A refusal for want of credentials, and what was tried before. */
export interface Challenge {
  readonly answer: HttpResponse
  readonly status: 401 | 403
  readonly url: URL
  readonly server: URL
  readonly peer: string
  readonly signal: AbortSignal
  readonly given: HttpHeaders
  readonly attempt: number
}

/** Returns when the request may be sent again with other credentials; throws `unauthorized` when it may not. */
export async function respondToChallenge(auth: ClientAuth, challenge: Challenge): Promise<void> {
  const { answer, peer, ...challengeDetails } = challenge
  const { status } = challengeDetails
  const wwwAuthenticate = answer.header('www-authenticate')
  const dpopNonce = answer.header('dpop-nonce')
  void answer.discard()
  let isSolved: boolean
  try {
    isSolved = await auth.challenged({ ...challengeDetails, wwwAuthenticate, dpopNonce })
  } catch (error) {
    throw unauthorized(peer, status, wwwAuthenticate, error)
  }
  if (!isSolved) throw unauthorized(peer, status, wwwAuthenticate)
}

/** Credentials that are there from the beginning. */
export async function authorize(
  auth: ClientAuth,
  call: Parameters<ClientAuth['authorize']>[0],
  peer: string,
): Promise<HttpHeaders> {
  try {
    return await auth.authorize(call)
  } catch (error) {
    throw unauthorized(peer, 401, undefined, error)
  }
}
