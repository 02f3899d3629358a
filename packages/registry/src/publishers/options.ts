import type { HttpGuard } from '@parley/mcp/http'

import type { ProofKey } from './signed-time.ts'

/** Who may read, and how publishers prove who they are. Nothing is allowed unless it is named here. */
export interface RegistryAuth {
  /**
   * Who may read, by `oauthGuard` or `apiKeyGuard` of `@parley/auth`. Also lets those publish whose token has the scope
   * `mcp-registry:write`, below the patterns of its claim `permissions`.
   * @defaultValue everybody reads
   */
  readonly read?: HttpGuard | undefined
  /** Publishers with a key of their own, by a name for the key. */
  readonly keys?: { readonly [id: string]: LocalKey } | undefined
  /** Owners of domains, by a TXT record. @defaultValue false */
  readonly dns?: boolean | { readonly resolve: ResolveText } | undefined
  /** Owners of web sites, by a file below `/.well-known`. @defaultValue false */
  readonly http?: boolean | undefined
  /** Users of GitHub, and its workflows. @defaultValue false */
  readonly github?: boolean | GithubOptions | undefined
  /** Users of an identity provider. */
  readonly oidc?: OidcOptions | undefined
  /** Anybody, below `io.modelcontextprotocol.anonymous/`. For development only. @defaultValue false */
  readonly anonymous?: boolean | undefined
  /** Namespaces nobody gets a token for, except holders of `*`. */
  readonly blockedNamespaces?: readonly string[] | undefined
  /** 32 bytes in hexadecimal; tokens are signed with them. @defaultValue made once, kept in the database */
  readonly seed?: string | undefined
}

/** A key, and the names it stands for. */
export interface LocalKey extends ProofKey {
  /** Names, or beginnings followed by `*`. */
  readonly publish: readonly string[]
  /** The same, for names whose documents it may overwrite. @defaultValue none */
  readonly edit?: readonly string[] | undefined
  /** The same, for names it may hide, restore and decide about; `*` is all. @defaultValue none */
  readonly moderate?: readonly string[] | undefined
}

/** The TXT records of a domain, the pieces of each joined. */
export type ResolveText = (domain: string) => Promise<readonly string[]>

/** Where GitHub is. */
export interface GithubOptions {
  /** @defaultValue 'https://api.github.com' */
  readonly apiUrl?: string | undefined
  /** Of tokens that workflows get. @defaultValue 'https://token.actions.githubusercontent.com' */
  readonly oidcIssuer?: string | undefined
  /** @defaultValue `.well-known/jwks` below the issuer */
  readonly jwksUri?: string | undefined
  /** @defaultValue 'mcp-registry' */
  readonly audience?: string | undefined
  /** For `GET /health`: the command line signs in with it. */
  readonly clientId?: string | undefined
}

/** Whose tokens are taken, and what they allow. */
export interface OidcOptions {
  /** The `iss` of its tokens, exactly. */
  readonly issuer: string
  /** The audience that its tokens must have. */
  readonly clientId: string
  /** @defaultValue what the issuer's metadata says */
  readonly jwksUri?: string | undefined
  /** Claims that must be exactly these. */
  readonly claims?: { readonly [name: string]: string } | undefined
  /** Names that its people may publish; `*` at the end stands for anything. */
  readonly publish: readonly string[]
  /** Names whose status they may change. @defaultValue none */
  readonly edit?: readonly string[] | undefined
  /** Names that they may moderate. @defaultValue none */
  readonly moderate?: readonly string[] | undefined
}
