import { isLoopbackHost } from '@parley/mcp/address'
import { allowInsecureRequests, customFetch } from 'oauth4webapi'

import type { DocumentFetch } from '../shared/json-document.ts'
import { createSafeFetch, type SafeFetchOptions } from '../shared/safe-fetch.ts'

/** A private key as JSON (RFC 7517); `alg` and `kid` are used where they stand. */
export type PrivateJwk = {
  /** The kind of key, such as `EC`, `OKP` or `RSA`. */
  readonly kty: string
  /** The other members of the key, as RFC 7517 and RFC 7518 name them. */
  readonly [member: string]: unknown
}

/** How a client proves who it is at the token endpoint. */
export type AuthMethod = 'private_key_jwt' | 'client_secret_basic' | 'client_secret_post' | 'none'

/** Deviations of one issuer. */
export interface IssuerSettings {
  /** A client id that was registered there beforehand. */
  readonly clientId?: string | undefined
  /** Its secret, for a confidential client. */
  readonly clientSecret?: string | undefined
  /** A private key to sign client assertions with, instead of a secret. */
  readonly key?: PrivateJwk | undefined
  /**
   * How the client authenticates at the token endpoint. @defaultValue the first it supports of those in its metadata
   */
  readonly authMethod?: AuthMethod | undefined
  /** Whether requests name the server the token is for, or what they name instead. @defaultValue 'send' */
  readonly resource?: 'send' | 'omit' | (string & {}) | undefined
  /** More parameters for the authorization request. */
  readonly authorizeParams?: { readonly [name: string]: string } | undefined
  /** More parameters for token requests. */
  readonly tokenParams?: { readonly [name: string]: string } | undefined
  /** It can do PKCE with S256 and does not say so. */
  readonly assumePkceS256?: boolean | undefined
  /** The issuer that its metadata names instead, with `{tenantid}` for one segment. */
  readonly issuerTemplate?: string | undefined
  /** Whether to ask for `offline_access` where it is listed. @defaultValue 'auto' */
  readonly offlineAccess?: 'auto' | 'never' | undefined
}

/** Options that all ways to get a token share. */
export interface TokenOptions {
  /** The scopes to request. @defaultValue the scopes that the server requires */
  readonly scopes?: readonly string[] | undefined
  /** Take tokens of this issuer alone; a server that names only others is refused. @defaultValue whom the server names */
  readonly issuer?: string | undefined
  /** Which addresses the server may lead to. @defaultValue 'any'; 'public' for a sign-in in two steps */
  readonly network?: 'public' | 'loopback' | 'any' | undefined
  /** Bind tokens to a key of this client. @defaultValue 'optional': where issuer and server can @experimental */
  readonly dpop?: 'off' | 'optional' | 'required' | undefined
  /** Peculiarities of an issuer, by its URL; ours are built in and yours win. */
  readonly issuers?: { readonly [issuer: string]: IssuerSettings } | undefined
  /** Other origins that may describe the server, if its challenge leads there. @defaultValue none */
  readonly metadataOrigins?: readonly string[] | undefined
  /** How issuers and servers are asked. @defaultValue the runtime's own, guarded */
  readonly fetch?: typeof fetch | undefined
}

/** How requests of one sign-in go out: to this machine only if the server is on it. */
export type AuthHttp = DocumentFetch

/** Requests about one server; only a server on this machine may lead to others on it. */
export function createAuthHttp(
  serverUrl: URL,
  signal: AbortSignal,
  input: typeof fetch | undefined,
  network: SafeFetchOptions['network'],
): AuthHttp {
  const allowLoopback = isLoopbackHost(serverUrl.hostname)
  const allowed = allowLoopback && network === 'public' ? 'loopback' : network
  return { fetch: input ?? createSafeFetch({ network: allowed }), allowLoopback, signal }
}

/** The same for the OAuth library, whose answers pass through `normalize`. */
export function libraryOptions(
  { fetch, allowLoopback, signal }: AuthHttp,
  normalize: (response: Response) => Promise<Response>,
) {
  return {
    [customFetch]: async (url: string, init: object) => normalize(await fetch(url, init)),
    [allowInsecureRequests]: allowLoopback,
    signal,
  }
}
