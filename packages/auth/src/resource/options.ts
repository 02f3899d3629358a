import type { AuthInfo } from '@parley/mcp'
import type { HttpGuardRequest, RouteCaller } from '@parley/mcp/http'

import type { JsonObject } from '../shared/json-document.ts'
import type { OnceStore } from './sender-check.ts'
import type { FindProviderToken } from './upstream/provider-token.ts'

/** How a server is protected. */
export interface OAuthGuardOptions {
  /** One or several; also what the metadata names. A provider preset goes here as well. */
  readonly issuer: TokenIssuer | readonly TokenIssuer[]
  /** Scopes of every request. Those of a feature come on top. @defaultValue none */
  readonly scopes?: readonly string[] | undefined
  /**
   * What the metadata names. `'all'` adds those of tools, resources and prompts: clients that are told nothing else ask for
   * all of it at once. @defaultValue 'base', the `scopes` above, which is what the specification means
   */
  readonly scopesSupported?: 'base' | 'all' | undefined
  /** Scopes implied by a scope, transitively. @defaultValue none */
  readonly scopeImplies?: { readonly [scope: string]: readonly string[] } | undefined
  /** The required audience of tokens. @defaultValue the public URL */
  readonly audience?: string | readonly string[] | undefined
  /** Others a token may be issued for besides. @defaultValue none: such a token could be theirs to use here */
  readonly extraAudiences?: readonly string[] | undefined
  /** @defaultValue JWT by the issuer's keys */
  readonly verify?: TokenVerifier | undefined
  /** Tokens bound to a key of the client. @defaultValue 'optional' @experimental */
  readonly dpop?: DpopUse | undefined
  /** Where used DPoP proofs are remembered: `cluster.once`, if several processes serve. @defaultValue the memory of this process */
  readonly once?: OnceStore | undefined
  /** Methods and tool names that need no token. @defaultValue none */
  readonly anonymous?: readonly string[] | undefined
  /** Verified tokens remembered. @defaultValue 10_000 for 60 s */
  readonly cache?: false | { readonly entries: number; readonly ttlMs: number } | undefined
  /** For keys, metadata and introspection. @defaultValue one that goes to public addresses, or to loopback where the issuer is */
  readonly fetch?: typeof fetch | undefined
}

/** Whether tokens may, or must, be bound to a key. */
export type DpopUse = 'off' | 'optional' | 'required'

/** An address, or an address with the rules of its tokens. */
export type TokenIssuer = string | IssuerRules

/** How one issuer's tokens look; the presets return these. */
export interface IssuerRules {
  /** The issuer exactly as tokens name it. The metadata names the first. */
  readonly issuer: string | readonly string[]
  /** The required audience of the token, instead of the public URL of this server. */
  readonly audience?: string | readonly string[] | undefined
  /** Audiences that a token may name besides. @defaultValue none: a token that is for others too is refused */
  readonly extraAudiences?: readonly string[] | undefined
  /** `'JWT'` also takes tokens that do not say what they are; those are told from others by their claims. @defaultValue ['at+jwt'] */
  readonly acceptTyp?: readonly string[] | undefined
  /** @defaultValue from the issuer's metadata */
  readonly jwksUri?: string | undefined
  /** Where scopes, client and audience are in a token. @defaultValue as in RFC 9068 */
  readonly claims?: ClaimRules | undefined
  /** Checks tokens instead of the built-in check of JWTs, for example by introspection. */
  readonly verify?: TokenVerifier | undefined
  /** The tokens of its users' identity providers, if it signs people in with others. */
  readonly upstream?: FindProviderToken | undefined
  /** Served on the same origin when the issuer lives in this process. */
  readonly fetch?: ((request: Request, caller?: RouteCaller) => Promise<Response>) | undefined
}

/** Where an issuer writes what others write elsewhere. */
export interface ClaimRules {
  /** @defaultValue 'scope' */
  readonly scopes?: string | ((claims: JsonObject) => readonly string[]) | undefined
  /** The first that is there. @defaultValue ['client_id', 'azp'] */
  readonly clientId?: string | readonly string[] | undefined
  /** @defaultValue 'aud' */
  readonly audience?: ((claims: JsonObject) => readonly string[]) | undefined
  /** False refuses the token. */
  readonly check?: ((claims: JsonObject) => boolean) | undefined
}

/** Undefined means the token is not valid; throw only if that cannot be found out. */
export type TokenVerifier = (
  token: string,
  request: VerifierRequest,
) => Promise<AuthInfo | undefined>

/** A request whose token is looked at. */
export interface VerifierRequest extends HttpGuardRequest {
  /** The public URL, which a token must be issued for. */
  readonly resource: URL
}

/** One or several, as a list. */
export function listOf<T extends string>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}
