import { isLoopbackHost } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

import { listOf } from '../resource/options.ts'
import { AuthError } from '../shared/auth-error.ts'
import { parseUrl } from '../shared/url-rules.ts'
import { warnOnce } from '../shared/warn.ts'
import type { AuthServerOptions, DescribedClient } from './options.ts'
import {
  listProviders,
  providerId,
  providerUrls,
  type SignInProvider,
} from './third-party/sign-in-provider.ts'

/** Throws unless a server can be made of them, and safely; returns the issuer's address. */
export function checkOptions(options: AuthServerOptions): URL {
  const { issuer, allowInsecure = false } = options
  const url = readIssuer(issuer)
  for (const problem of findMistakes(options)) throw rejected(issuer, problem)
  for (const problem of findProblems(url, options)) {
    if (!allowInsecure) throw rejected(issuer, problem, 'allowInsecure permits it for development.')
    warnOnce(`The authorization server ${issuer} is NOT SAFE: ${problem}`)
  }
  for (const client of options.clients ?? []) checkClient(client, options)
  return url
}

/** Finds mistakes that only types forbid, or not even these. */
function* findMistakes(options: AuthServerOptions): Generator<string> {
  const { users, store, scopes } = options
  const providers = listProviders(options.signInWith)
  const resources: unknown = options.resources
  if (!Array.isArray(resources) || resources.length === 0)
    return yield 'resources is missing or empty'
  for (const resource of resources) {
    if (parseUrl(resource)?.hash !== '')
      yield `the resource ${String(resource)} is not a URL without a fragment`
  }
  if (users === undefined && providers.length === 0)
    yield 'there are no users: set users or signInWith'
  if (users !== undefined && !hasFunctions(users, ['verify']))
    yield 'users needs a function verify(name, password)'
  yield* findProviderMistakes(providers)
  if (listOf(options.secret).some((secret) => secret.length < 32))
    yield 'secret is shorter than 32 characters'
  const needed = ['get', 'set', 'add', 'delete']
  if (store !== undefined && !hasFunctions(store, needed))
    yield `store needs the functions ${needed.join(', ')}`
  if (scopes !== undefined && !isJsonObject(scopes))
    yield 'scopes must be an object that maps each scope to its description'
  for (const scope of Object.keys(scopes ?? {})) {
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
      yield `${JSON.stringify(scope)} is not a valid scope`
  }
  for (const name of ['accessTokenSeconds', 'keyLifeMs'] as const) {
    if (!((options[name] ?? 1) > 0)) yield `${name} must be more than 0`
  }
}

function* findProviderMistakes(providers: readonly SignInProvider[]): Generator<string> {
  const ids = providers.map(providerId)
  for (const [index, provider] of providers.entries()) {
    const id = ids[index] ?? ''
    const of = `of the provider ${JSON.stringify(id)}`
    if (!/^[a-z\d][a-z\d-]{0,39}$/.test(id))
      yield `the id ${of} must be 1 to 40 lower-case letters, digits and dashes`
    if (ids.indexOf(id) !== index) yield `two providers have the id ${JSON.stringify(id)}`
    if (!provider.clientId) yield `clientId ${of} is empty`
    if (!provider.clientSecret) yield `clientSecret ${of} is empty`
    for (const [option, url] of Object.entries(providerUrls(provider))) {
      if (parseUrl(url) === undefined) yield `${option} ${of} is not a URL`
    }
  }
}

function hasFunctions(value: object, names: readonly string[]): boolean {
  return names.every((name) => typeof Reflect.get(value, name) === 'function')
}

function readIssuer(issuer: string): URL {
  const url = parseUrl(issuer)
  if (url === undefined) throw rejected(issuer, 'it is not a valid URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw rejected(issuer, 'it is not https')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(issuer)) {
    throw rejected(issuer, 'it has a query or a fragment')
  }
  if (url.username !== '' || url.password !== '')
    throw rejected(issuer, 'it contains a user name or password')
  // Compared as plain text by everybody, so the two ways to write it must not differ.
  const written = url.pathname === '/' ? url.origin : url.href
  if (issuer !== written && issuer !== url.href)
    throw rejected(issuer, `it must be written as ${written}`)
  return url
}

/** Finds settings that are unsafe on an address that others can reach. */
function* findProblems(issuer: URL, options: AuthServerOptions): Generator<string> {
  if (isLoopbackHost(issuer.hostname)) return
  if (issuer.protocol !== 'https:') yield 'passwords and tokens would be sent without https'
  for (const resource of options.resources) {
    if (parseUrl(resource)?.protocol !== 'https:') yield `the resource ${resource} is not https`
  }
  for (const url of listProviders(options.signInWith).flatMap((provider) =>
    Object.values(providerUrls(provider)),
  )) {
    if (parseUrl(url)?.protocol !== 'https:') yield `${url} is not https`
  }
}

function checkClient(client: DescribedClient, { issuer, scopes }: AuthServerOptions): void {
  const { clientId, clientSecret, keys, redirectUris = [], grants } = client
  const isPublic = clientSecret === undefined && keys === undefined
  const hasOwnTokens = grants?.includes('client_credentials') ?? redirectUris.length === 0
  if (clientSecret !== undefined && clientSecret.length < 32) {
    throw rejected(issuer, `the secret of ${clientId} is shorter than 32 characters`)
  }
  if (hasOwnTokens && isPublic) throw rejected(issuer, `${clientId} has no secret and no keys`)
  if (hasOwnTokens && client.scopes === undefined && scopes === undefined) {
    throw rejected(issuer, `${clientId} uses client_credentials, but no scopes are set for it`)
  }
}

function rejected(issuer: string, why: string, hint?: string): AuthError {
  return new AuthError('address_refused', `cannot serve the issuer ${issuer}: ${why}`, {
    step: 'issuer',
    issuer,
    ...(hint !== undefined && { hint }),
  })
}
