import type { AuthInfo } from '@parley/mcp'
import type { GuardDenial, HttpGuard, HttpGuardRequest, GuardDecision } from '@parley/mcp/http'

import { formatChallenge } from '../../shared/challenge.ts'
import { unknown, readCredentials } from '../protect.ts'
import { sha256 } from '../sender-check.ts'

/** The owner of a key, and their permissions. */
export interface ApiKeyOwner {
  /** The owner: what belongs to one is not there for another, and limits count by it. */
  readonly subject: string
  /** @defaultValue none */
  readonly scopes?: readonly string[] | undefined
  /** For handlers, in `context.auth.claims`. @defaultValue none */
  readonly claims?: { readonly [name: string]: unknown } | undefined
  /** Milliseconds since the epoch. @defaultValue never */
  readonly expiresAt?: number | undefined
}

/** Keys with their owners, or a function that finds the owner of a key: undefined refuses it. */
export type ApiKeys =
  | { readonly [key: string]: string | ApiKeyOwner }
  | ((key: string) => ApiKeyLookup | Promise<ApiKeyLookup>)

/** The owner found for a key: a name alone, or with scopes and more. */
export type ApiKeyLookup = string | ApiKeyOwner | undefined

/** Where keys are read from. */
export interface ApiKeyGuardOptions {
  /** Besides `Authorization: Bearer`. @defaultValue 'X-API-Key' */
  readonly header?: string | undefined
}

const minCharacters = 16
const maxCharacters = 1_024

/** Lets callers in by a key that they were given, without OAuth. Pass it as `auth`. */
export function apiKeyGuard(
  keys: ApiKeys,
  { header = 'X-API-Key' }: ApiKeyGuardOptions = {},
): HttpGuard {
  const findOwner = typeof keys === 'function' ? keys : finderOf(keys)
  const name = header.toLowerCase()

  /** In the header of its own, or where tokens are; a key in the URL would end up in logs, and is not looked at. */
  function readKey(request: HttpGuardRequest): string | undefined {
    const own = request.header(name)
    if (own !== undefined) return own.trim()
    const credentials = readCredentials(request)
    return credentials.kind === 'token' ? credentials.token : undefined
  }

  async function authenticate(request: HttpGuardRequest): Promise<GuardDecision> {
    const key = readKey(request)
    if (key === undefined || key === '') {
      return deny(`this server needs an API key: send it as ${header}, or as Authorization: Bearer`)
    }
    if (key.length > maxCharacters) return deny('the API key is not valid', 'invalid_token')
    try {
      const owner = await findOwner(key)
      const auth = owner === undefined ? undefined : authOf(owner)
      if (auth === undefined) return deny('the API key is not valid', 'invalid_token')
      if (auth.expiresAt <= Date.now()) return deny('the API key has expired', 'invalid_token')
      return { kind: 'allow', auth }
    } catch (error) {
      return unknown(error)
    }
  }

  return { authenticate }
}

/** By digest: how long it takes says nothing about how much of a guess was right. */
function finderOf(keys: Exclude<ApiKeys, (key: string) => unknown>) {
  const entries = Object.entries(keys)
  if (entries.length === 0) {
    throw new TypeError(
      "apiKeyGuard needs keys, as in apiKeyGuard({ [process.env.API_KEY]: 'ada' })",
    )
  }
  for (const [key, owner] of entries) requireKey(key, owner)
  const lookup = Promise.all(
    entries.map(async ([key, owner]) => [await sha256(key), owner] as const),
  ).then((pairs) => new Map(pairs))
  return async (key: string): Promise<ApiKeyLookup> => (await lookup).get(await sha256(key))
}

/** A variable that is not set gives the key `undefined`, and nobody should get in by that. */
function requireKey(key: string, owner: string | ApiKeyOwner): void {
  const subject = typeof owner === 'string' ? owner : owner.subject
  if (key.length >= minCharacters) return
  throw new TypeError(
    `the API key of ${JSON.stringify(subject)} has ${key.length} characters: use at least ${minCharacters}, made at random`,
  )
}

function authOf(keyOwner: string | ApiKeyOwner): AuthInfo {
  const owner: ApiKeyOwner = typeof keyOwner === 'string' ? { subject: keyOwner } : keyOwner
  return {
    issuer: 'api-key',
    subject: owner.subject,
    clientId: '',
    scopes: new Set(owner.scopes),
    audience: [],
    expiresAt: owner.expiresAt ?? Infinity,
    claims: owner.claims ?? {},
  }
}

function deny(message: string, error?: 'invalid_token'): GuardDenial {
  const challenge = formatChallenge('Bearer', {
    realm: 'API key',
    error,
    error_description: error === undefined ? undefined : message,
  })
  return { kind: 'deny', status: 401, headers: { 'www-authenticate': challenge }, message }
}
