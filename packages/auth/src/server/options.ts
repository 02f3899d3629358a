import type { AuditSink } from './audit.ts'
import type { UserDirectory } from './sign-in/users.ts'
import type { AuthServerStore } from './stores/memory-store.ts'
import type { SignInProvider } from './third-party/sign-in-provider.ts'
import type { TrustedIssuer } from './tokens/trusted-issuer.ts'

/** Options of an authorization server. */
export interface AuthServerOptions {
  /** Its identifier and address, with or without a path. `https`, or `http` on this machine. */
  readonly issuer: string
  /** The servers that tokens are for, by their public URLs. The first is meant by who names none. */
  readonly resources: readonly string[]
  /** The people who may sign in with a password. Can be left out with `signInWith`. */
  readonly users?: UserDirectory | undefined
  /** The identity providers that people may sign in with: `github({ … })`, `google({ … })`, or several. @defaultValue none */
  readonly signInWith?: SignInProvider | readonly SignInProvider[] | undefined
  /**
   * Encrypts what providers of `signInWith` give us for users. At least 32 characters, kept apart from the store. Of several,
   * the first encrypts, and the others only read what they encrypted. @defaultValue one that is kept in the store
   */
  readonly secret?: string | readonly string[] | undefined
  /** @defaultValue files below `.parley-auth` in the working directory */
  readonly store?: AuthServerStore | undefined
  /** Clients registering themselves. @defaultValue 'off'; 'on' if the issuer is this machine */
  readonly registration?: 'on' | 'off' | undefined
  /** Permits development settings on an address that is not loopback. @defaultValue false */
  readonly allowInsecure?: boolean | undefined

  /** The name of this server on its pages. @defaultValue the host of the issuer */
  readonly name?: string | undefined
  /** Scopes there are, each in words a person understands. @defaultValue whatever a client asks for, as it is written */
  readonly scopes?: { readonly [scope: string]: string } | undefined
  /** Scopes of a request that names none. @defaultValue all of `scopes`; `mcp` if these are not given */
  readonly defaultScopes?: readonly string[] | undefined
  /** Clients that are known beforehand. @defaultValue none */
  readonly clients?: readonly DescribedClient[] | undefined
  /**
   * Schemes of applications that clients nobody knows may be sent back to, such as `cursor`. The specification allows
   * them https and this machine alone. @defaultValue none
   */
  readonly appSchemes?: readonly string[] | undefined
  /** Clients whose id is the URL of a document about them. @defaultValue 'on' */
  readonly clientDocuments?: 'on' | 'off' | undefined
  /** Others whose word about a person or a program is taken. @defaultValue none */
  readonly trust?: readonly TrustedIssuer[] | undefined
  /** How documents and keys of others are fetched. @defaultValue `createSafeFetch`: public addresses, and 5 kB for documents */
  readonly fetch?: typeof fetch | undefined
  /** Told of everything that matters for security. Never given a secret. @defaultValue nobody */
  readonly audit?: AuditSink | undefined
  /** @defaultValue 600 */
  readonly accessTokenSeconds?: number | undefined
  /** How long a key signs before the next one does. @defaultValue 30 days */
  readonly keyLifeMs?: number | undefined
  /** The time. @defaultValue `Date.now` */
  readonly now?: (() => number) | undefined
}

/** A client whose id and way to prove itself were agreed on beforehand. */
export interface DescribedClient {
  /** The agreed id. */
  readonly clientId: string
  /** Without a secret or key it is a public client. At least 32 characters. */
  readonly clientSecret?: string | undefined
  /** Public keys that it signs with instead of sending a secret. */
  readonly keys?: readonly { readonly [member: string]: unknown }[] | undefined
  /** The name that people read when they are asked for consent. @defaultValue the id */
  readonly name?: string | undefined
  /** Where it may send people back to, exactly. @defaultValue none: no one can sign in with it */
  readonly redirectUris?: readonly string[] | undefined
  /** @defaultValue `authorization_code` and `refresh_token` with redirect URIs, else `client_credentials` */
  readonly grants?: readonly UserGrant[] | undefined
  /** The most it gets. @defaultValue `scopes` of the server; needed for `client_credentials` if these are not given */
  readonly scopes?: readonly string[] | undefined
}

/** Ways to a token. */
export type UserGrant = 'authorization_code' | 'refresh_token' | 'client_credentials' | 'jwt-bearer'
