import type { AuthorizationServer } from 'oauth4webapi'

import { AuthError } from '../../shared/auth-error.ts'
import { fetchDocument, stringsOf, type JsonObject } from '../../shared/json-document.ts'
import { metadataUrls, findUrlProblem, parseUrl } from '../../shared/url-rules.ts'
import type { IssuerSettings, AuthHttp } from '../options.ts'

/** Somebody who signs clients in, as far as we have checked. */
export interface TokenIssuer {
  /** The issuer's id, as it writes it itself; grants and registrations are stored under it. */
  readonly id: string
  readonly server: AuthorizationServer
  readonly settings: IssuerSettings
}

/** Fetches and checks the metadata of an issuer that a server named. */
export async function findIssuer(
  issuer: string,
  settings: IssuerSettings,
  http: AuthHttp,
  headers?: { readonly [name: string]: string },
): Promise<TokenIssuer> {
  const url = parseUrl(issuer)
  const problem = url === undefined ? 'it is not a valid URL' : findUrlProblem(url, http)
  if (url === undefined || problem !== undefined) {
    throw new AuthError(
      'address_refused',
      `the issuer ${show(issuer)} is not contacted: ${problem}`,
      {
        step: 'issuer',
        issuer,
      },
    )
  }
  let mismatch: AuthError | undefined
  const tried: string[] = []
  for (const candidate of metadataUrls(url)) {
    const found = await fetchDocument(candidate, http, { step: 'issuer', headers })
    if (found.kind === 'absent') tried.push(`${candidate.href}: ${found.why}`)
    else if (isIssuer(found.document['issuer'], issuer, settings)) {
      return checkEndpoints(found.document, issuer, settings, http)
    } else mismatch ??= otherIssuer(found.document['issuer'], issuer)
  }
  throw mismatch ?? notFound(issuer, tried)
}

/** Plain comparison; only the slash after a bare origin, which URLs cannot be without, is forgiven. */
function isIssuer(
  reported: unknown,
  expected: string,
  { issuerTemplate }: IssuerSettings,
): boolean {
  if (typeof reported !== 'string') return false
  if (reported === expected || (issuerTemplate !== undefined && reported === issuerTemplate))
    return true
  const isBare = parseUrl(expected)?.href === `${parseUrl(expected)?.origin}/`
  return isBare && (reported === `${expected}/` || `${reported}/` === expected)
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const

function checkEndpoints(
  document: JsonObject,
  expected: string,
  settings: IssuerSettings,
  http: AuthHttp,
): TokenIssuer {
  const reportedIssuer = String(document['issuer'])
  const id = reportedIssuer === settings.issuerTemplate ? expected : reportedIssuer
  for (const name of endpoints) {
    const value = document[name]
    if (value === undefined && name !== 'token_endpoint') continue
    const url = parseUrl(value)
    const problem = url === undefined ? 'it is not a valid URL' : findUrlProblem(url, http)
    if (problem === undefined) continue
    throw new AuthError('metadata_invalid', `the ${name} of ${id} cannot be used: ${problem}`, {
      step: 'issuer',
      issuer: id,
    })
  }
  const revocation = parseUrl(document['revocation_endpoint'])
  const canRevoke = revocation !== undefined && findUrlProblem(revocation, http) === undefined
  return {
    id,
    server: {
      ...readable(document),
      // Nobody needs it to sign in, so a faulty one stops nobody.
      ...(canRevoke && { revocation_endpoint: revocation.href }),
      issuer: id,
    },
    settings,
  }
}

/** Only what we read, and only if it is what it should be. */
function readable(document: JsonObject): Omit<AuthorizationServer, 'issuer'> {
  const text = (name: string) =>
    typeof document[name] === 'string' ? { [name]: document[name] } : {}
  const list = (name: string) => {
    const strings = stringsOf(document[name])
    return strings === undefined ? {} : { [name]: [...strings] }
  }
  const flag = (name: string) => (document[name] === true ? { [name]: true } : {})
  return {
    ...text('authorization_endpoint'),
    ...text('token_endpoint'),
    ...text('registration_endpoint'),
    ...list('scopes_supported'),
    ...list('grant_types_supported'),
    ...list('code_challenge_methods_supported'),
    ...list('token_endpoint_auth_methods_supported'),
    ...list('token_endpoint_auth_signing_alg_values_supported'),
    ...list('dpop_signing_alg_values_supported'),
    ...flag('authorization_response_iss_parameter_supported'),
    ...flag('client_id_metadata_document_supported'),
  }
}

function otherIssuer(reported: unknown, expected: string): AuthError {
  return new AuthError(
    'issuer_mismatch',
    `the metadata of ${expected} names a different issuer, ${show(reported)}`,
    {
      step: 'issuer',
      issuer: expected,
      hint: "The server's authorization_servers must hold the issuer exactly as its metadata writes it.",
    },
  )
}

function notFound(issuer: string, tried: readonly string[]): AuthError {
  return new AuthError('metadata_not_found', `${issuer} has no metadata (${tried.join('; ')})`, {
    step: 'issuer',
    issuer,
  })
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
