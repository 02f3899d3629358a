import type { AuthInfo } from '@parley/mcp'
import { parseJsonObject } from '@parley/mcp/json'

import { AuthError } from '../../shared/auth-error.ts'
import { basicCredentials } from '../introspection.ts'
import { createIssuerAccess, type IssuerAccess } from '../issuer-access.ts'

/** Which service to call, and how to get a token for it. */
export interface UpstreamOptions {
  /** The other service, as tokens name it. */
  readonly resource: string
  /** The issuer of its tokens. For an exchange, the issuer of the caller's token. */
  readonly issuer: string
  /** The other service by the name that its issuer has for it. @defaultValue only `resource` is sent */
  readonly audience?: string | undefined
  /** The client id of this server at the issuer. */
  readonly clientId: string
  /** Its secret there. */
  readonly clientSecret: string
  /** The scopes to request. @defaultValue the issuer's default */
  readonly scopes?: readonly string[] | undefined
  /** `exchange` (RFC 8693) stays the caller; `client_credentials` is this server itself. @defaultValue 'exchange' */
  readonly grant?: 'exchange' | 'client_credentials' | undefined
  /** @defaultValue the runtime's own; the issuer is asked by a careful one */
  readonly fetch?: typeof fetch | undefined
}

interface Stored {
  readonly token: string
  readonly until: number
}

/** Tokens got for a caller live as long as the caller's own is remembered; those for ourselves are the same for all. */
const forCallers = new WeakMap<AuthInfo, Map<string, Promise<Stored>>>()
const forUs = new Map<string, Promise<Stored>>()
const accesses = new Map<string, IssuerAccess>()

/** A token for the other service, got once while it is good. */
export async function requestUpstreamToken(
  auth: AuthInfo,
  inbound: string | undefined,
  options: UpstreamOptions,
  spoiled?: string,
): Promise<string> {
  const { grant = 'exchange', issuer, resource, clientId, clientSecret, scopes = [] } = options
  const storedTokens = grant === 'exchange' ? (forCallers.get(auth) ?? new Map()) : forUs
  if (grant === 'exchange') forCallers.set(auth, storedTokens)
  const { audience = null } = options
  const key = JSON.stringify([grant, issuer, resource, audience, clientId, clientSecret, scopes])
  const cached = await storedTokens.get(key)?.catch(() => undefined) // whoever asked for it heard of it
  if (cached && cached.until > Date.now() && cached.token !== spoiled) return cached.token
  const asking = request(auth, inbound, options)
  storedTokens.set(key, asking)
  asking.catch(() => storedTokens.delete(key))
  return (await asking).token
}

async function request(
  auth: AuthInfo,
  inbound: string | undefined,
  options: UpstreamOptions,
): Promise<Stored> {
  const { issuer, resource, clientId, clientSecret, scopes = [], grant = 'exchange' } = options
  const access = accesses.get(issuer) ?? createIssuerAccess({ issuer }, options.fetch)
  if (options.fetch === undefined) accesses.set(issuer, access)
  const form = new URLSearchParams({ resource })
  if (options.audience !== undefined) form.set('audience', options.audience)
  if (scopes.length > 0) form.set('scope', scopes.join(' '))
  if (grant === 'exchange') addExchange(form, exchangeable(auth, inbound, issuer))
  else form.set('grant_type', 'client_credentials')
  const endpoint = await access.endpoint('token_endpoint')
  const response = await access.fetch(endpoint.href, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basicCredentials(clientId, clientSecret),
    },
    body: form.toString(),
    redirect: 'manual',
  })
  const answer = parseJsonObject(await response.text()) ?? {}
  const { access_token: token, expires_in: seconds, token_type: type } = answer
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer'
  if (response.status !== 200 || typeof token !== 'string' || !isBearer) {
    throw rejected(issuer, resource, response.status, answer['error'])
  }
  if (token === inbound) throw rejected(issuer, resource, response.status, "the caller's own token")
  // A little less than it has, for the way.
  const lifeMs = (typeof seconds === 'number' ? seconds : 60) * 1000
  return { token, until: Date.now() + lifeMs * 0.9 }
}

function addExchange(form: URLSearchParams, subjectToken: string): void {
  form.set('grant_type', 'urn:ietf:params:oauth:grant-type:token-exchange')
  form.set('subject_token', subjectToken)
  form.set('subject_token_type', 'urn:ietf:params:oauth:token-type:access_token')
  form.set('requested_token_type', 'urn:ietf:params:oauth:token-type:access_token')
}

/** The caller's token is shown to nobody but who issued it. */
function exchangeable(auth: AuthInfo, inbound: string | undefined, issuer: string): string {
  if (inbound !== undefined && auth.issuer === issuer) return inbound
  const why =
    inbound === undefined
      ? 'this caller has no token that could be exchanged'
      : `the caller's token is from ${auth.issuer}, and is not sent to ${issuer}`
  throw new AuthError('token_refused', why, {
    step: 'token',
    issuer,
    hint: "Use grant: 'client_credentials' to call as this server.",
  })
}

function rejected(issuer: string, resource: string, status: number, error: unknown): AuthError {
  const what = typeof error === 'string' && /^[\w' .-]{1,80}$/.test(error) ? error : 'no token'
  return new AuthError('token_refused', `${issuer} refused to issue a token (${status}: ${what})`, {
    step: 'token',
    issuer,
    resource,
  })
}
