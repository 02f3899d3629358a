/**
 * `oauthGuard()`: protects a server with tokens of one or more issuers. Serves the resource metadata, writes challenges, verifies tokens,
 * and checks scopes of operations.
 *
 * The verification of one token is in `token-check.ts`, of its sender in `sender-check.ts`. Returns the guard that the HTTP transports take
 * as `auth`.
 */

import type { AuthInfo } from '@parley/mcp'
import type {
  HttpGuard,
  GuardedOperation,
  HttpGuardRequest,
  RouteCaller,
  GuardDecision,
  GuardDenial,
} from '@parley/mcp/http'

import { formatChallenge } from '../shared/challenge.ts'
import { after, resolve, type MaybePromise } from '../shared/maybe-promise.ts'
import { findUrlProblem, parseUrl } from '../shared/url-rules.ts'
import { algorithms } from './access-token.ts'
import { createVerifier } from './issuer-verifier.ts'
import {
  listOf,
  type TokenIssuer,
  type IssuerRules,
  type OAuthGuardOptions,
  type VerifierRequest,
  type DpopUse,
} from './options.ts'
import { serveMetadata, metadataUrl } from './resource-metadata.ts'
import { askable, requireAskable } from './scopes.ts'
import { createSenderCheck } from './sender-check.ts'
import { createTokenCheck } from './token-check.ts'

/** Metadata, challenges, verification and scopes, from an issuer alone. Pass it as `auth`. */
export function oauthGuard(options: OAuthGuardOptions): HttpGuard {
  const { scopes: base = [], dpop = 'optional', anonymous = [] } = options
  requireAskable(base)
  const issuers = rulesOf(options)
  const open = anonymous.length === 0 ? undefined : new Set([...alwaysOpen, ...anonymous])
  const checkSender = createSenderCheck(dpop, options.once)
  const checkToken = createTokenCheck(options, (onKeysChanged) =>
    createVerifier(issuers, options, onKeysChanged),
  )
  const names = issuers.flatMap(({ issuer }) => listOf(issuer).slice(0, 1))

  function authenticate({
    method,
    target,
    header,
    resource,
  }: HttpGuardRequest): MaybePromise<GuardDecision> {
    const request = { method, target, header, resource: required(resource) }
    const credentials = readCredentials(request)
    switch (credentials.kind) {
      case 'none':
        return open ? { kind: 'allow' } : reject(401, request, { why: needsToken })
      case 'malformed':
        return reject(400, request, { error: 'invalid_request', why: credentials.why })
      case 'token':
        return resolve(() => admit(credentials, request), unknown)
    }
  }

  /** At once for a token that was verified a moment ago. */
  function admit(
    { scheme, token }: Extract<Credentials, { kind: 'token' }>,
    request: VerifierRequest,
  ): MaybePromise<GuardDecision> {
    return after(checkToken(token, request), (verified) => {
      if (verified.kind === 'invalid') {
        const why = `the token is not accepted: ${verified.why}`
        return reject(401, request, { error: 'invalid_token', why })
      }
      const { auth } = verified
      return after(checkSender(scheme, auth, token, request), (problem) => {
        if (problem) return reject(401, request, problem)
        // A message is judged by what it asks for, once that is known; everything else right here.
        if (request.method === 'POST') return { kind: 'allow', auth }
        return authorize(auth, { method: '', scopes: [], resource: request.resource })
      })
    })
  }

  function reject(
    status: 400 | 401,
    { resource }: VerifierRequest,
    problem: Pick<Rejection, 'error' | 'why' | 'scheme'>,
  ): GuardDecision {
    return deny(status, { resource, scopes: base, dpop, ...problem })
  }

  function authorize(auth: AuthInfo | undefined, operation: GuardedOperation): GuardDecision {
    if (auth ? hasAll(auth, operation) : open !== undefined && isOpen(open, operation)) {
      return { kind: 'allow', ...(auth && { auth }) }
    }
    const request = { resource: required(operation.resource), dpop }
    const scopes = [...base, ...operation.scopes]
    if (auth === undefined) return deny(401, { ...request, scopes, why: needsToken })
    const scheme = auth.confirmation && 'dpop'
    const why = 'the token lacks a scope that this request needs'
    return deny(403, { ...request, scopes, error: 'insufficient_scope', why, scheme })
  }

  function hasAll({ scopes }: AuthInfo, operation: GuardedOperation): boolean {
    const has = (scope: string): boolean => scopes.has(scope)
    return base.every(has) && operation.scopes.every(has)
  }

  async function route(
    request: Request,
    resource: URL,
    caller?: RouteCaller,
  ): Promise<Response | undefined> {
    const more = options.scopesSupported === 'all' ? askable(caller?.scopes ?? []) : []
    const scopes = [...new Set([...base, ...more])]
    const metadata = serveMetadata(request, resource, { issuers: names, scopes, dpop })
    if (metadata) return metadata
    for (const rules of issuers.filter((issuer) => livesAt(issuer, resource))) {
      const answer = await rules.fetch?.(request.clone(), caller)
      if (answer !== undefined && answer.status !== 404) return answer
    }
    return undefined
  }

  return { authenticate, authorize, route }
}

const needsToken = 'this request needs a token'

/** Without these nobody gets as far as to what is open. */
const alwaysOpen = ['initialize', 'ping', 'server/discover']

/** Checks whether a request needs no token; one that needs scopes always needs one, whatever its name. */
function isOpen(open: ReadonlySet<string>, { method, name, scopes }: GuardedOperation): boolean {
  if (scopes.length > 0) return false
  return open.has(method) || (method === 'tools/call' && name !== undefined && open.has(name))
}

function rulesOf({ issuer, verify }: OAuthGuardOptions): readonly IssuerRules[] {
  const list: readonly TokenIssuer[] = isList(issuer) ? issuer : [issuer]
  const rules = list.map((item) => (typeof item === 'string' ? { issuer: item } : item))
  const names = rules.flatMap((rule) => listOf(rule?.issuer))
  if (names.length < rules.length || rules.length === 0) {
    throw new TypeError(
      "protect needs an issuer, as in protect({ issuer: 'https://login.example.com' })",
    )
  }
  for (const rule of rules)
    if (!rule.verify && !rule.jwksUri && !verify) listOf(rule.issuer).forEach(requireAddress)
  return rules
}

/** Checks an address that keys are fetched from; other issuers may have any name. */
function requireAddress(issuer: string): void {
  const url = parseUrl(issuer)
  const problem = url ? findUrlProblem(url, { allowLoopback: true }) : 'it is not a valid URL'
  if (problem === undefined) return
  throw new TypeError(
    `the keys of the issuer ${JSON.stringify(issuer)} cannot be loaded: ${problem}`,
  )
}

function isList(issuer: OAuthGuardOptions['issuer']): issuer is readonly TokenIssuer[] {
  return Array.isArray(issuer)
}

/** An issuer of this process whose pages are on our origin. */
function livesAt({ fetch: answer, issuer }: IssuerRules, { origin }: URL): boolean {
  return answer !== undefined && listOf(issuer).some((name) => parseUrl(name)?.origin === origin)
}

function required(resource: URL | undefined): URL {
  if (resource === undefined) throw new TypeError('auth needs url, the public address')
  return resource
}

/** The token in a request. */
type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'token'; readonly scheme: 'bearer' | 'dpop'; readonly token: string }

const maxLength = 16_384

/** Reads `Authorization` alone: a token in the query is never looked at, and two are one too many. */
export function readCredentials({ target, header }: HttpGuardRequest): Credentials {
  const text = header('authorization')
  if (text === undefined) return { kind: 'none' }
  const space = text.indexOf(' ')
  const scheme = (space < 0 ? text : text.slice(0, space)).toLowerCase()
  if (scheme !== 'bearer' && scheme !== 'dpop') return { kind: 'none' }
  if (/[?&]access_token=/.test(target)) return malformed('two tokens in one request')
  const token = space < 0 ? '' : text.slice(space + 1).trim()
  if (token.length > maxLength) return malformed('the token is too long')
  // RFC 6750 section 2.1; a second header would have come in here behind a comma.
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token))
    return malformed('the Authorization header must hold exactly one token')
  return { kind: 'token', scheme, token }
}

function malformed(why: string): Credentials {
  return { kind: 'malformed', why }
}

/** Why somebody is not let in. */
export interface Rejection {
  readonly resource: URL
  /** All that the operation needs. */
  readonly scopes: readonly string[]
  readonly error?:
    | 'invalid_request'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'invalid_dpop_proof'
    | undefined
  readonly why: string
  readonly dpop: DpopUse
  /** The scheme to answer in. @defaultValue by `dpop` */
  readonly scheme?: 'bearer' | 'dpop' | undefined
}

/** Says what a client needs to do better, as RFC 6750, RFC 9449 and RFC 9728 have it. */
function deny(status: 400 | 401 | 403, rejection: Rejection): GuardDenial {
  const { resource, error, why, dpop } = rejection
  const { scheme = dpop === 'required' ? 'dpop' : 'bearer' } = rejection
  const scopes = askable(rejection.scopes)
  const challenge = formatChallenge(scheme === 'dpop' ? 'DPoP' : 'Bearer', {
    error,
    error_description: error === undefined ? undefined : why,
    resource_metadata: metadataUrl(resource),
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    algs: scheme === 'dpop' ? algorithms.join(' ') : undefined,
  })
  return { kind: 'deny', status, headers: { 'www-authenticate': challenge }, message: why }
}

/** It cannot be found out whether a token is good; that is not the caller's fault. */
export function unknown(cause: unknown): GuardDenial {
  const message = 'authorization cannot be checked at the moment'
  return { kind: 'deny', status: 503, headers: { 'retry-after': '5' }, message, cause }
}
