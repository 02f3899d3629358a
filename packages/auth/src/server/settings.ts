import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { cwd } from 'node:process'

import { isLoopbackHost } from '@parley/mcp/address'

import { listOf } from '../resource/options.ts'
import { createSafeFetch } from '../shared/safe-fetch.ts'
import { createAuditor, type Auditor } from './audit.ts'
import { checkOptions } from './check-options.ts'
import type { AuthServerOptions, DescribedClient } from './options.ts'
import type { UserDirectory } from './sign-in/users.ts'
import { createFileAuthServerStore } from './stores/file-store.ts'
import type { AuthServerStore } from './stores/memory-store.ts'
import { listProviders, type SignInProvider } from './third-party/sign-in-provider.ts'
import type { TrustedIssuer } from './tokens/trusted-issuer.ts'

/** The options with their defaults, found to be safe. */
export interface Settings {
  readonly issuer: string
  readonly issuerUrl: URL
  /** The path of the issuer, without a slash at its end. */
  readonly basePath: string
  readonly isDevelopment: boolean
  readonly name: string
  readonly resources: readonly string[]
  readonly users: UserDirectory
  /** Whether anybody has one. */
  readonly hasPasswords: boolean
  readonly signInWith: readonly SignInProvider[]
  /** Encrypt what providers give us; none means the one in the store. */
  readonly secrets: readonly string[]
  readonly store: AuthServerStore
  readonly registration: 'on' | 'off'
  readonly clientDocuments: 'on' | 'off'
  readonly appSchemes: readonly string[]
  readonly scopes: { readonly [scope: string]: string } | undefined
  readonly defaultScopes: readonly string[]
  readonly clients: readonly DescribedClient[]
  readonly trust: readonly TrustedIssuer[]
  /** The option, if there was one. */
  readonly givenFetch: typeof fetch | undefined
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
  const issuerUrl = checkOptions(options)
  const isDevelopment = isLoopbackHost(issuerUrl.hostname)
  const { issuer, resources, users, now = Date.now, scopes } = options

  return {
    issuer,
    issuerUrl,
    basePath: issuerUrl.pathname.replace(/\/$/, ''),
    isDevelopment,
    name: options.name ?? issuerUrl.host,
    resources,
    users: users ?? nobody,
    hasPasswords: users !== undefined,
    signInWith: listProviders(options.signInWith),
    secrets: listOf(options.secret),
    store: options.store ?? createFileAuthServerStore(defaultDirectory(issuer), now),
    registration: options.registration ?? (isDevelopment ? 'on' : 'off'),
    clientDocuments: options.clientDocuments ?? 'on',
    appSchemes: options.appSchemes ?? [],
    scopes,
    defaultScopes: options.defaultScopes ?? (scopes ? Object.keys(scopes) : ['mcp']),
    clients: options.clients ?? [],
    trust: options.trust ?? [],
    givenFetch: options.fetch,
    fetch: options.fetch ?? createSafeFetch(),
    fetchSmall: options.fetch ?? createSafeFetch({ maxBytes: documentBytes, timeoutMs: 5_000 }),
    audit: createAuditor(options.audit, now),
    accessTokenSeconds: options.accessTokenSeconds ?? 600,
    keyLifeMs: options.keyLifeMs ?? 30 * day,
    now,
  }
}

const nobody: UserDirectory = { verify: async () => undefined }

function defaultDirectory(issuer: string): string {
  const name = createHash('sha256').update(issuer).digest('hex').slice(0, 16)
  return join(cwd(), '.parley-auth', name)
}
