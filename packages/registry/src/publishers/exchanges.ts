import { resolveTxt } from 'node:dns/promises'

import { isJsonObject } from '@parley/mcp/json'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'

import type { Outgoing, OutgoingResponse } from '../network/outgoing.ts'
import type { GithubOptions, OidcOptions, RegistryAuth, ResolveText } from './options.ts'
import { reverseDomain, type Permission } from './permissions.ts'
import { findTimeProblem, isDomain, isSigned, readKeyRecords } from './signed-time.ts'
import type { Grant } from './tokens.ts'

/** A proof that was given; undefined fields were not. */
export type Proof = { readonly [field: string]: string | undefined }

/** A proof is taken, or why not. */
export type ExchangeOutcome =
  | { readonly kind: 'granted'; readonly grant: Grant }
  | { readonly kind: 'refused'; readonly why: string }

/** Judges a proof. Rejects if somebody who has to be asked cannot be reached. */
export interface Exchange {
  /** Fields that the proof needs. */
  readonly fields: readonly string[]
  readonly classify: (proof: Proof) => Promise<ExchangeOutcome>
}

interface ExchangeContext {
  readonly outgoing: Outgoing
  readonly now: () => number
}

/** The ways to a token that are switched on, by the last part of their path. */
export function createExchanges(
  auth: RegistryAuth,
  parts: ExchangeContext,
): ReadonlyMap<string, Exchange> {
  const exchanges = new Map<string, Exchange>()
  const { keys, dns, http, github, oidc, anonymous } = auth
  if (keys !== undefined) exchanges.set('key', localKeys(keys, parts))
  if (dns) exchanges.set('dns', dnsProof(typeof dns === 'object' ? dns.resolve : resolve, parts))
  if (http) exchanges.set('http', httpProof(parts))
  if (github) {
    const options = typeof github === 'object' ? github : {}
    exchanges.set('github-at', githubUser(options, parts))
    exchanges.set('github-oidc', githubWorkflow(options, parts))
  }
  if (oidc !== undefined) exchanges.set('oidc', identityProvider(oidc, parts))
  if (anonymous) exchanges.set('none', nobody())
  return exchanges
}

function granted(
  method: string,
  subject: string,
  publish: readonly string[],
  edit: readonly string[] = [],
  moderate: readonly string[] = [],
): ExchangeOutcome {
  const permissions: readonly Permission[] = [
    ...publish.map((resource) => ({ action: 'publish', resource }) as const),
    ...edit.map((resource) => ({ action: 'edit', resource }) as const),
    ...moderate.map((resource) => ({ action: 'moderate', resource }) as const),
  ]
  return { kind: 'granted', grant: { method, subject, permissions } }
}

function refused(why: string): ExchangeOutcome {
  return { kind: 'refused', why }
}

function localKeys(keys: NonNullable<RegistryAuth['keys']>, { now }: ExchangeContext): Exchange {
  return {
    fields: ['key', 'timestamp', 'signed_timestamp'],
    async classify({ key: id = '', timestamp = '', signed_timestamp: signature = '' }) {
      const problem = findTimeProblem(timestamp, now())
      if (problem !== undefined) return refused(problem)
      const key = Object.hasOwn(keys, id) ? keys[id] : undefined
      if (key === undefined || !isSigned(timestamp, signature, [key])) {
        return refused('the key is unknown, or did not sign the timestamp')
      }
      return granted('key', id, key.publish, key.edit, key.moderate)
    },
  }
}

const domainFields = ['domain', 'timestamp', 'signed_timestamp']

function dnsProof(resolveText: ResolveText, { now }: ExchangeContext): Exchange {
  return {
    fields: domainFields,
    async classify(proof) {
      const { domain = '' } = proof
      const problem = findProofProblem(proof, now())
      if (problem !== undefined) return refused(problem)
      const records = await resolveText(domain)
      const why = findSignatureProblem(proof, records, `no TXT record of ${domain}`)
      if (why !== undefined) return refused(why)
      const reversed = reverseDomain(domain)
      return granted('dns', domain, [`${reversed}/*`, `${reversed}.*`])
    },
  }
}

const maxFileBytes = 4_096

function httpProof({ outgoing, now }: ExchangeContext): Exchange {
  return {
    fields: domainFields,
    async classify(proof) {
      const { domain = '' } = proof
      const problem = findProofProblem(proof, now())
      if (problem !== undefined) return refused(problem)
      const url = `https://${domain}/.well-known/mcp-registry-auth`
      const { status, text } = await outgoing(url, { maxBytes: maxFileBytes, maxRedirects: 0 })
      if (status !== 200) return refused(`${url} answers with status ${status}, not 200`)
      const why = findSignatureProblem(proof, text.split('\n'), `no line of ${url}`)
      if (why !== undefined) return refused(why)
      return granted('http', domain, [`${reverseDomain(domain)}/*`])
    },
  }
}

function findProofProblem({ domain = '', timestamp = '' }: Proof, now: number): string | undefined {
  if (!isDomain(domain)) return `${JSON.stringify(domain.slice(0, 100))} is not a domain`
  return findTimeProblem(timestamp, now)
}

function findSignatureProblem(
  { timestamp = '', signed_timestamp: signature = '' }: Proof,
  records: readonly string[],
  where: string,
): string | undefined {
  const keys = readKeyRecords(records.slice(0, 50))
  if (keys.length === 0) return `${where} has the form v=MCPv1; k=ed25519; p=…`
  return isSigned(timestamp, signature, keys)
    ? undefined
    : 'the signature does not fit any key that was found there'
}

async function resolve(domain: string): Promise<readonly string[]> {
  try {
    return (await resolveTxt(domain)).map((pieces) => pieces.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    throw error
  }
}

function githubUser(options: GithubOptions, { outgoing }: ExchangeContext): Exchange {
  const { apiUrl = 'https://api.github.com' } = options
  return {
    fields: ['github_token'],
    async classify({ github_token: token = '' }) {
      if (!/^[\w.-]{1,500}$/.test(token)) return refused('the token is not one of GitHub')
      const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }
      const user = readJson(await outgoing(`${apiUrl}/user`, { headers }))
      const login = isJsonObject(user) ? user['login'] : undefined
      if (!isGithubName(login)) return refused('GitHub does not accept the token')
      const found = readJson(await outgoing(`${apiUrl}/users/${login}/orgs`, { headers }))
      const names = (Array.isArray(found) ? found : [])
        .map((value: unknown) => (isJsonObject(value) ? value['login'] : undefined))
        .filter(isGithubName)
      return granted(
        'github-at',
        login,
        [login, ...names].map((name) => `io.github.${name}/*`),
      )
    },
  }
}

function githubWorkflow(options: GithubOptions, parts: ExchangeContext): Exchange {
  const { oidcIssuer = 'https://token.actions.githubusercontent.com', audience = 'mcp-registry' } =
    options
  const jwksUri = options.jwksUri ?? `${oidcIssuer}/.well-known/jwks`
  const verify = createJwtCheck({ issuer: oidcIssuer, audience, jwksUri }, parts)
  return {
    fields: ['oidc_token'],
    async classify({ oidc_token: token = '' }) {
      const claims = await verify(token)
      if (typeof claims === 'string') return refused(claims)
      const owner = claims['repository_owner']
      if (!isGithubName(owner)) return refused('the token has no claim repository_owner')
      return granted('github-oidc', subjectOf(claims), [`io.github.${owner}/*`])
    },
  }
}

function identityProvider(options: OidcOptions, parts: ExchangeContext): Exchange {
  const { issuer, clientId: audience, claims: wanted = {}, publish, edit, moderate } = options
  const jwksUri = options.jwksUri ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`
  const verify = createJwtCheck({ issuer, audience, jwksUri }, parts)
  return {
    fields: ['oidc_token'],
    async classify({ oidc_token: token = '' }) {
      const claims = await verify(token)
      if (typeof claims === 'string') return refused(claims)
      const missing = Object.entries(wanted).find(([name, value]) => claims[name] !== value)
      if (missing !== undefined) return refused(`the claim ${missing[0]} is not as required`)
      return granted('oidc', subjectOf(claims), publish, edit, moderate)
    },
  }
}

function nobody(): Exchange {
  const names = ['io.modelcontextprotocol.anonymous/*']
  return { fields: [], classify: async () => granted('none', 'anonymous', names, names) }
}

/** Claims of a token that is signed, current and for us; a text says why it is not. */
function createJwtCheck(
  rules: { readonly issuer: string; readonly audience: string; readonly jwksUri: string },
  { outgoing, now }: ExchangeContext,
): (token: string) => Promise<{ readonly [claim: string]: unknown } | string> {
  const { issuer, audience, jwksUri } = rules
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    [customFetch]: async (url) => {
      const { status, text } = await outgoing(url)
      return new Response(text, { status, headers: { 'content-type': 'application/json' } })
    },
  })
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
      })
      return payload
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!/^ERR_J(?:WT|WS|OSE|WKS_NO)/.test(code)) throw error
      return `the token is not accepted: ${error instanceof Error ? error.message : code}`
    }
  }
}

function readJson({ status, text }: OutgoingResponse): unknown {
  if (status !== 200) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function subjectOf({ sub }: { readonly [claim: string]: unknown }): string {
  return typeof sub === 'string' ? sub : ''
}

function isGithubName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-zA-Z0-9-]+$/.test(value)
}
