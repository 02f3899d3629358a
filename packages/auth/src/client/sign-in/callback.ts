import { AuthError } from '../../shared/auth-error.ts'
import { plainText } from '../../shared/json-document.ts'

/** The values stored before the person left for the issuer. */
export interface ExpectedCallback {
  readonly redirectUri: string
  readonly state: string
  /** The issuer, as its metadata writes it. */
  readonly issuer: string
  /** With `{tenantid}` for a segment that is not known beforehand. */
  readonly issuerTemplate?: string | undefined
  /** Its metadata promises `iss` in every answer. */
  readonly sendsIssuer: boolean
}

/**
 * The code in a callback, after everything about it was checked: where it came to, `state`, then `iss`, and only then
 * whether it is an error, whose text is not shown to anybody before. Pure; throws nothing but `AuthError`.
 */
export function readCallback(callback: URL, expected: ExpectedCallback): string {
  const { searchParams } = callback
  if (!isSamePlace(callback, expected.redirectUri)) {
    throw mismatch(expected, 'it arrived at a different address from the registered one')
  }
  for (const name of ['state', 'iss', 'error', 'code', 'error_description', 'response']) {
    if (searchParams.getAll(name).length > 1) throw mismatch(expected, `it contains ${name} twice`)
  }
  const state = searchParams.get('state')
  if (state === null || !isSameText(state, expected.state)) {
    throw mismatch(expected, state === null ? 'it has no state' : 'it belongs to another sign-in')
  }
  checkIssuer(searchParams.get('iss'), expected)
  const error = searchParams.get('error')
  if (error !== null) throw rejection(error, searchParams.get('error_description'), expected)
  const code = searchParams.get('code')
  if (code === null || code === '') throw mismatch(expected, 'it has neither a code nor an error')
  return code
}

/** RFC 9207: plain comparison, no normalisation; absent only where it was not promised. */
function checkIssuer(iss: string | null, expected: ExpectedCallback): void {
  if (iss === null && !expected.sendsIssuer) return
  if (iss !== null && (iss === expected.issuer || fits(iss, expected.issuerTemplate))) return
  throw new AuthError(
    'issuer_mismatch',
    iss === null
      ? `the response does not name its issuer, although ${expected.issuer} announces that it does`
      : `the response is from another issuer, not from ${expected.issuer}`,
    { step: 'callback', issuer: expected.issuer },
  )
}

function fits(iss: string, template: string | undefined): boolean {
  if (template === undefined) return false
  const [before = '', after] = template.split('{tenantid}')
  if (after === undefined || !iss.startsWith(before) || !iss.endsWith(after)) return false
  return /^[\w.-]+$/.test(iss.slice(before.length, iss.length - after.length))
}

function isSamePlace({ origin, protocol, host, pathname }: URL, redirectUri: string): boolean {
  const registered = new URL(redirectUri)
  const isSameOrigin =
    origin === registered.origin && protocol === registered.protocol && host === registered.host
  return isSameOrigin && pathname === registered.pathname
}

/** Takes the same time wherever two texts of one length differ. */
function isSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return difference === 0
}

function mismatch({ issuer }: ExpectedCallback, why: string): AuthError {
  return new AuthError('state_mismatch', `a callback was ignored: ${why}`, {
    step: 'callback',
    issuer,
  })
}

function rejection(
  error: string,
  description: string | null,
  { issuer }: ExpectedCallback,
): AuthError {
  const detail = description === null ? '' : `: ${plainText(description)}`
  const code = error === 'access_denied' ? 'access_denied' : 'token_refused'
  return new AuthError(code, `${issuer} answered ${plainText(error, 60)}${detail}`, {
    step: 'callback',
    issuer,
    hint: hintFor(error),
  })
}

function hintFor(error: string): string | undefined {
  switch (error) {
    case 'invalid_scope':
      return 'It does not know one of the requested scopes. Set the option scopes to those it knows.'
    case 'invalid_target':
      return "It does not know this server. Set resource: 'omit' for it in the option issuers."
    case 'unauthorized_client':
    case 'invalid_request':
      return 'Check the client id and the redirect URI that are registered there.'
    default:
      return undefined
  }
}
