import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import type { Context } from '@parley/mcp/server'

import { objectOf, type Operation } from './operations.ts'
import { OpenApiError, follow, type OpenApiDocument } from './read-document.ts'

/** The caller of a tool. */
export interface OpenApiCaller {
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
  /** The context of the handler, where a server called it: whose call it is, for example. */
  readonly context?: Context | undefined
}

/** A key or token; for HTTP Basic, a user name and a password. */
export type OpenApiCredential =
  | string
  | {
      /** The user name. */
      readonly username: string
      /** The password. */
      readonly password: string
    }

/** A credential, or what gives it for each call: from a store, refreshed, or the caller's own. */
export type OpenApiCredentialSource =
  | OpenApiCredential
  | ((
      caller: OpenApiCaller,
    ) => OpenApiCredential | undefined | Promise<OpenApiCredential | undefined>)

/** Credentials by the name that the document has for a security scheme. */
export interface OpenApiCredentials {
  /** The credential for one scheme, or a function that returns it. */
  readonly [scheme: string]: OpenApiCredentialSource
}

/** The parts added to a request. */
export interface Authorization {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: readonly (readonly [string, string])[]
  readonly cookies: readonly (readonly [string, string])[]
}

type Authorized = Authorization | { readonly problem: string }

/** Answers what a call of an operation must carry. */
export type Authorize = (operation: Operation, caller: OpenApiCaller) => Promise<Authorized>

const nothing: Authorization = { headers: [], query: [], cookies: [] }

/** Without credentials everything is sent without. Throws if one is for a scheme that the document does not have. */
export function createSecurity(
  { root }: OpenApiDocument,
  credentials: OpenApiCredentials | undefined,
): Authorize {
  const schemes = objectOf(objectOf(root['components'])['securitySchemes'])
  for (const name of Object.keys(credentials ?? {})) {
    if (Object.hasOwn(schemes, name)) continue
    const names = Object.keys(schemes).join(', ') || 'none'
    throw new OpenApiError(
      `credentials.${name}: the document has no such security scheme; it has ${names}. Other headers go into "headers"`,
    )
  }

  return async ({ security = [] }, caller) => {
    if (security.length === 0 || credentials === undefined) return nothing
    // The first alternative for which everything is there.
    for (const alternative of security) {
      const names = Object.keys(alternative)
      if (names.some((name) => !Object.hasOwn(credentials, name))) continue
      const parts = await Promise.all(names.map((name) => authorizationOf(name, caller)))
      const whole = parts.filter((part) => part !== undefined)
      if (whole.length === names.length) return joined(whole)
    }
    const wanted = security.map((alternative) => Object.keys(alternative).join(' and '))
    return { problem: `it needs credentials for ${wanted.join(' or ')}, and there are none` }
  }

  async function authorizationOf(
    name: string,
    caller: OpenApiCaller,
  ): Promise<Authorization | undefined> {
    const source = credentials?.[name]
    const credential = typeof source === 'function' ? await source(caller) : source
    const scheme = follow(root, schemes[name])
    return credential === undefined || scheme === undefined
      ? undefined
      : authorization(scheme, credential)
  }
}

function authorization(scheme: JsonObject, credential: OpenApiCredential): Authorization {
  const { type, in: location, name, scheme: kind } = scheme
  if (type === 'apiKey' && typeof name === 'string') {
    const pair = [name, secretOf(credential)] as const
    if (location === 'query') return { ...nothing, query: [pair] }
    return location === 'cookie' ? { ...nothing, cookies: [pair] } : { ...nothing, headers: [pair] }
  }
  const isBasic = type === 'http' && typeof kind === 'string' && kind.toLowerCase() === 'basic'
  if (!isBasic)
    return { ...nothing, headers: [['authorization', `Bearer ${secretOf(credential)}`]] }
  const { username, password } = isJsonObject(credential)
    ? credential
    : { username: secretOf(credential), password: '' }
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  const encoded = btoa(String.fromCodePoint(...bytes))
  return { ...nothing, headers: [['authorization', `Basic ${encoded}`]] }
}

function secretOf(credential: OpenApiCredential): string {
  return typeof credential === 'string' ? credential : credential.password
}

function joined(parts: readonly Authorization[]): Authorization {
  return {
    headers: parts.flatMap(({ headers }) => headers),
    query: parts.flatMap(({ query }) => query),
    cookies: parts.flatMap(({ cookies }) => cookies),
  }
}
