import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { cwd } from 'node:process'

import { AuthError } from '../shared/auth-error.ts'
import { createSafeFetch } from '../shared/safe-fetch.ts'
import { isLoopbackHost, parseUrl } from '../shared/url-rules.ts'
import { warnOnce } from '../shared/warn.ts'
import { createAuditor, type Auditor } from './audit.ts'
import { serverFileStore } from './file-store.ts'
import type { AuthServerOptions, KnownClient } from './options.ts'
import type { AuthServerStore } from './store.ts'
import type { ThirdParty } from './third-party/third-party.ts'
import type { TrustedIssuer } from './trusted-issuer.ts'
import type { Users } from './users.ts'

/** The options with their defaults, found to be safe. */
export interface Settings {
  readonly issuer: string
  readonly issuerUrl: URL
  /** Of the issuer, without a slash at its end. */
  readonly basePath: string
  readonly isDevelopment: boolean
  readonly name: string
  readonly resources: readonly string[]
  readonly users: Users
  /** Whether anybody has one. */
  readonly hasPasswords: boolean
  readonly signInWith: readonly ThirdParty[]
  readonly store: AuthServerStore
  readonly registration: 'on' | 'off'
  readonly clientDocuments: 'on' | 'off'
  readonly appSchemes: readonly string[]
  readonly scopes: { readonly [scope: string]: string } | undefined
  readonly defaultScopes: readonly string[]
  readonly clients: readonly KnownClient[]
  readonly trust: readonly TrustedIssuer[]
  /** For keys and metadata of others. */
  readonly fetch: typeof fetch
  /** For documents of clients. */
  readonly fetchSmall: typeof fetch
  readonly audit: Auditor
  readonly accessTokenSeconds: number
  readonly keyLifeMs: number
  readonly now: () => number
}

const documentBytes = 5 * 1024
const day = 86_400_000

export function resolveSettings(options: AuthServerOptions): Settings {
  const { issuer, resources, allowInsecure = false, now = Date.now, scopes } = options
  const issuerUrl = readIssuer(issuer)
  const isDevelopment = isLoopbackHost(issuerUrl.hostname)
  if (resources.length === 0) throw refused(issuer, 'it has no resources')
  const { users, signInWith = [] } = options
  if (users === undefined && signInWith.length === 0) throw refused(issuer, 'nobody can sign in')
  for (const fault of findFaults(issuerUrl, options)) {
    if (!allowInsecure) throw refused(issuer, fault)
    warnOnce(`The authorization server ${issuer} is NOT SAFE: ${fault}`)
  }
  for (const client of options.clients ?? []) requireSound(client, options)

  return {
    issuer,
    issuerUrl,
    basePath: issuerUrl.pathname.replace(/\/$/, ''),
    isDevelopment,
    name: options.name ?? issuerUrl.host,
    resources,
    users: users ?? nobody,
    hasPasswords: users !== undefined,
    signInWith,
    store: options.store ?? serverFileStore(defaultDirectory(issuer), now),
    registration: options.registration ?? (isDevelopment ? 'on' : 'off'),
    clientDocuments: options.clientDocuments ?? 'on',
    appSchemes: options.appSchemes ?? [],
    scopes,
    defaultScopes: options.defaultScopes ?? (scopes ? Object.keys(scopes) : ['mcp']),
    clients: options.clients ?? [],
    trust: options.trust ?? [],
    fetch: options.fetch ?? createSafeFetch(),
    fetchSmall: options.fetch ?? createSafeFetch({ maxBytes: documentBytes, timeoutMs: 5_000 }),
    audit: createAuditor(options.audit, now),
    accessTokenSeconds: options.accessTokenSeconds ?? 600,
    keyLifeMs: options.keyLifeMs ?? 30 * day,
    now,
  }
}

const nobody: Users = { verify: async () => undefined }

function readIssuer(issuer: string): URL {
  const url = parseUrl(issuer)
  if (url === undefined) throw refused(issuer, 'it is no URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(issuer, 'it is not https')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(issuer)) {
    throw refused(issuer, 'it has a query or a fragment')
  }
  if (url.username !== '' || url.password !== '') throw refused(issuer, 'it holds a password')
  // Compared as plain text by everybody, so the two ways to write it must not differ.
  const written = url.pathname === '/' ? url.origin : url.href
  if (issuer !== written && issuer !== url.href) throw refused(issuer, `it is written ${written}`)
  return url
}

/** What must not be seen on an address that others can reach. */
function* findFaults(issuer: URL, options: AuthServerOptions): Generator<string> {
  if (isLoopbackHost(issuer.hostname)) return
  if (issuer.protocol !== 'https:') yield 'passwords and tokens would travel without https'
  for (const resource of options.resources) {
    if (parseUrl(resource)?.protocol !== 'https:') yield `the resource ${resource} is not https`
  }
  for (const party of options.signInWith ?? []) {
    if (parseUrl(party.issuer)?.protocol !== 'https:') yield `${party.issuer} is not https`
  }
}

function requireSound(client: KnownClient, { issuer, scopes }: AuthServerOptions): void {
  const { clientId, clientSecret, keys, redirectUris = [], grants } = client
  const isPublic = clientSecret === undefined && keys === undefined
  const hasOwnTokens = grants?.includes('client_credentials') ?? redirectUris.length === 0
  if (clientSecret !== undefined && clientSecret.length < 32) {
    throw refused(issuer, `the secret of ${clientId} is shorter than 32 characters`)
  }
  if (hasOwnTokens && isPublic) throw refused(issuer, `${clientId} has no secret and no keys`)
  if (hasOwnTokens && client.scopes === undefined && scopes === undefined) {
    throw refused(issuer, `${clientId} gets tokens of its own, but nothing says which scopes`)
  }
}

function defaultDirectory(issuer: string): string {
  const name = createHash('sha256').update(issuer).digest('hex').slice(0, 16)
  return join(cwd(), '.parley-auth', name)
}

function refused(issuer: string, why: string): AuthError {
  return new AuthError('address_refused', `no authorization server at ${issuer}: ${why}`, {
    step: 'issuer',
    issuer,
    hint: 'allowInsecure permits what is only fit for development.',
  })
}
