import type { AuthInfo, Implementation, JsonObject } from '@parley/mcp'
import type { BackendCaller } from '@parley/mcp/internal/relay'

import type { Caller } from '../checks/check.ts'
import { certificateIssuer } from '../identity/certificate-guard.ts'

/** Returns the sender of a request, for checks. */
export function callerOf({
  auth,
  client,
}: {
  readonly auth?: AuthInfo | undefined
  readonly client: { readonly info?: Implementation | undefined }
}): Caller {
  const clientInfo = client.info === undefined ? {} : { client: client.info }
  if (auth === undefined) {
    return { principal: 'anonymous', isAnonymous: true, claims: {}, scopes: [], ...clientInfo }
  }
  const { issuer, subject, scopes, claims } = auth
  const { keyId } = claims
  return {
    principal: JSON.stringify([issuer, subject]),
    isAnonymous: false,
    claims: { ...(claims as JsonObject), iss: issuer, sub: subject }, // claims are JSON
    scopes: [...scopes],
    ...(isByKey(issuer) && typeof keyId === 'string' && { keyId }),
    ...clientInfo,
  }
}

/** Keys, and certificates by their fingerprint. */
function isByKey(issuer: string): boolean {
  return issuer === 'api-key' || issuer === certificateIssuer
}

/** Whether a change is about what this caller is offered. */
export function isFor(
  { account }: { readonly account?: string | undefined },
  auth: AuthInfo | undefined,
): boolean {
  if (account === undefined) return true
  return auth !== undefined && account === JSON.stringify([auth.issuer, auth.subject])
}

/** Returns the owner of links and tasks: the session, or without one the user. */
export function ownerOf({ auth, sessionId }: BackendCaller): string {
  const who = auth === undefined ? '' : JSON.stringify([auth.issuer, auth.subject])
  return `${sessionId ?? ''} ${who}`
}
