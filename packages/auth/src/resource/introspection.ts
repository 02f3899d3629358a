import { isLoopbackHost } from '@parley/mcp/address'
import { isJsonObject, parseJsonObject } from '@parley/mcp/json'
import { base64url } from 'jose'

import { AuthError } from '../shared/auth-error.ts'
import type { JsonObject } from '../shared/json-document.ts'
import { findUrlProblem, parseUrl } from '../shared/url-rules.ts'
import { audienceOf } from './access-token.ts'
import { bindable, type IssuerAccess } from './issuer-access.ts'
import type { TokenVerifier } from './options.ts'
import { scopesOf } from './scopes.ts'

/** How to ask an issuer about tokens. */
export interface IntrospectionOptions {
  /** @defaultValue from the issuer's metadata */
  readonly endpoint?: string | undefined
  /** The client id of this server at the issuer. */
  readonly clientId: string
  /** Its secret there. */
  readonly clientSecret: string
}

/** Asks the issuer about each token (RFC 7662), for tokens that say nothing by themselves. */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  return bindable((access) => async (token) => {
    const endpoint =
      options.endpoint === undefined
        ? await access.endpoint('introspection_endpoint')
        : configured(options.endpoint)
    const answer = await ask(endpoint, token, options, access)
    return answer && readAnswer(answer, access.issuer)
  })
}

async function ask(
  endpoint: URL,
  token: string,
  { clientId, clientSecret }: IntrospectionOptions,
  access: IssuerAccess,
): Promise<JsonObject | undefined> {
  const response = await access.fetch(endpoint.href, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basicCredentials(clientId, clientSecret),
    },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    redirect: 'manual',
  })
  const answer = response.status === 200 ? parseJsonObject(await response.text()) : undefined
  if (answer === undefined) throw rejected(endpoint, response.status)
  return answer['active'] === true ? answer : undefined
}

/** Undefined where the answer is about something else than an access token that expires. */
function readAnswer(answer: JsonObject, expected: string) {
  const { iss, sub, exp, scope, aud, cnf, client_id: client, username } = answer
  const issuer = typeof iss === 'string' ? iss : expected
  const subject = [sub, client, username].find((name) => typeof name === 'string' && name !== '')
  if (issuer !== expected && expected !== '') return undefined
  if (typeof subject !== 'string' || typeof exp !== 'number' || isOtherToken(answer))
    return undefined
  const jkt = isJsonObject(cnf) ? cnf['jkt'] : undefined
  if (cnf !== undefined && typeof jkt !== 'string') return undefined
  return {
    issuer,
    subject,
    clientId: typeof client === 'string' ? client : '',
    scopes: new Set(scopesOf(scope)),
    audience: audienceOf(aud),
    expiresAt: exp * 1000,
    claims: answer,
    ...(typeof jkt === 'string' && { confirmation: { jkt } }),
  }
}

/** Issuers also know refresh and ID tokens, and find them just as active. */
function isOtherToken({ token_type: type, token_use: use, typ }: JsonObject): boolean {
  const isOther = (value: unknown, own: RegExp) => typeof value === 'string' && !own.test(value)
  return (
    isOther(type, /^(?:bearer|dpop|access_token)$/i) ||
    isOther(use, /^access(?:_token)?$/i) ||
    isOther(typ, /^(?:bearer|dpop|at\+jwt)$/i)
  )
}

function configured(text: string): URL {
  const url = parseUrl(text)
  const allowLoopback = url !== undefined && isLoopbackHost(url.hostname)
  const problem = url ? findUrlProblem(url, { allowLoopback }) : 'it is not a valid URL'
  if (url !== undefined && problem === undefined) return url
  throw new AuthError('address_refused', `endpoint cannot be used: ${problem}`, { step: 'verify' })
}

function rejected(endpoint: URL, status: number): AuthError {
  return new AuthError('token_refused', `${endpoint.host} cannot check tokens: status ${status}`, {
    step: 'verify',
    hint: status === 401 ? 'Check clientId and clientSecret of introspection.' : undefined,
  })
}

/** `Authorization` by a client's id and secret, form-encoded before they are joined (RFC 6749 section 2.3.1). */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const text = new TextEncoder().encode(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`)
  const url = base64url.encode(text).replaceAll('-', '+').replaceAll('_', '/')
  return `Basic ${url.padEnd(Math.ceil(url.length / 4) * 4, '=')}`
}

function encodeForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
