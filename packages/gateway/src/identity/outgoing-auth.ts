import type { PrivateJwk } from '@parley/auth/client'

/** The identity that the gateway calls a server with. Constant headers for all callers are not part of it. */
export type OutgoingAuth =
  /** The gateway itself, with an id and a secret or key at the server's issuer. */
  | {
      readonly type: 'client-credentials'
      /** Tokens of this issuer alone. @defaultValue whom the server names */
      readonly issuer?: string | undefined
      /** The id that the gateway has at the issuer. */
      readonly clientId: string
      /** The secret that belongs to the id. */
      readonly clientSecret?: string | undefined
      /** Instead of a secret: signs for the gateway (`private_key_jwt`). */
      readonly key?: PrivateJwk | undefined
      /** The scopes to ask for. @defaultValue those that the server names */
      readonly scopes?: readonly string[] | undefined
    }
  /** Each caller, who signs in to the server once; the gateway keeps the tokens, sealed. */
  | {
      readonly type: 'user'
      /** Tokens of this issuer alone. @defaultValue whom the server names */
      readonly issuer?: string | undefined
      /** An id that the gateway was given, or the URL of a client id metadata document. @defaultValue it registers itself */
      readonly clientId?: string | undefined
      /** The secret that belongs to the id. */
      readonly clientSecret?: string | undefined
      /** The scopes to ask for. @defaultValue those that the server names */
      readonly scopes?: readonly string[] | undefined
    }
  /** Each caller: the issuer of the caller's token exchanges it for one for the server (RFC 8693). */
  | {
      readonly type: 'token-exchange'
      /** The issuer of the callers' tokens, which exchanges them. */
      readonly issuer: string
      /** The id that the gateway has at the issuer. */
      readonly clientId: string
      /** The secret that belongs to the id. */
      readonly clientSecret: string
      /** The server, as tokens name it. @defaultValue its address */
      readonly resource?: string | undefined
      /** The name that the issuer has for the server. @defaultValue `resource` */
      readonly audience?: string | undefined
      /** The scopes to ask for. @defaultValue those that the server names */
      readonly scopes?: readonly string[] | undefined
    }
  /** Each caller: the company's identity provider gives its word to the server's issuer (ID-JAG). */
  | {
      readonly type: 'id-jag'
      /** The issuer of the callers' tokens, and the gateway's client there. */
      readonly idp: {
        readonly issuer: string
        readonly clientId: string
        readonly clientSecret?: string | undefined
      }
      /** The server's. @defaultValue whom the server names */
      readonly issuer?: string | undefined
      /** The gateway's client at the server's issuer. */
      readonly clientId: string
      /** The secret that belongs to the id at the server's issuer. */
      readonly clientSecret?: string | undefined
      /** The scopes to ask for. @defaultValue those that the server names */
      readonly scopes?: readonly string[] | undefined
    }
  /** Each caller, with the caller's own token: only one that was issued for the server too. */
  | {
      readonly type: 'pass-through'
      /** The audience of the token. @defaultValue the server's address */
      readonly resource?: string | undefined
    }

/** The ways in which the gateway acts for its caller. */
export type CallerAuth = Exclude<OutgoingAuth, { readonly type: 'client-credentials' }>

/** Whether every caller has a connection of their own. */
export function isForCaller(auth: OutgoingAuth | undefined): auth is CallerAuth {
  return auth !== undefined && auth.type !== 'client-credentials'
}
