import type { JsonObject } from '../../shared/json-document.ts'
import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { UserAccount } from '../sign-in/users.ts'

/** A provider's claims about a user: `sub`, and `name`, `preferred_username`, `email`, `email_verified` if known. */
export interface ProviderClaims {
  /** The id of the account there. Never given to somebody else. */
  readonly sub: string
  /** Other claims. */
  readonly [name: string]: unknown
}

/** Options that all providers share. */
export interface ProviderOptions {
  /**
   * What `upstream()` calls it, and the end of the redirect URI to register there:
   * `<issuer of this server>/sign-in-callback/<id>`. @defaultValue the name in lower case, with dashes
   */
  readonly id?: string | undefined
  /** On the button: "Continue with …". */
  readonly name: string
  /** The id of the application registered there. */
  readonly clientId: string
  /** The secret of the same application. */
  readonly clientSecret: string
  /** The scopes to request. @defaultValue those needed to know who signed in */
  readonly scopes?: readonly string[] | undefined
  /** Added to the address that people are sent to. @defaultValue none */
  readonly authorizeParams?: { readonly [name: string]: string } | undefined
  /** Where the user's token may be sent by `upstream()`: URLs, also `https://*.example.com`. @defaultValue the provider's own origin */
  readonly api?: readonly string[] | undefined
  /** Headers that its API wants on every request. @defaultValue none */
  readonly apiHeaders?: { readonly [name: string]: string } | undefined
  /** How long to wait for an answer. @defaultValue 10_000 */
  readonly timeoutMs?: number | undefined
  /** Whether an account may sign in at all; asked before `account`. @defaultValue all may */
  readonly accepts?: ((claims: ProviderClaims) => boolean) | undefined
  /**
   * Who that is here; undefined refuses them. `fetch` calls the provider's API as that user, for example to ask for memberships.
   * @defaultValue the provider and its id of the account, with name and address: everybody who has an account there may sign in
   */
  readonly account?:
    | ((
        claims: ProviderClaims,
        context: { readonly fetch: typeof fetch },
      ) => MaybePromise<UserAccount | undefined>)
    | undefined
}

/** Options of the functions for well-known providers, which set the rest. */
export interface PresetOptions extends Omit<ProviderOptions, 'name' | 'apiHeaders' | 'accepts'> {
  /** On the button. @defaultValue the name of the provider */
  readonly name?: string | undefined
}

/** A provider that speaks OAuth and has an address that says whose a token is. */
export interface OAuthProviderOptions extends ProviderOptions {
  /** Where people are sent. */
  readonly authorizationUrl: string
  /** Where codes and refresh tokens are exchanged. */
  readonly tokenUrl: string
  /** Fetched with the user's token. */
  readonly userUrl: string
  /** Reads the answer of `userUrl`; undefined if it names nobody who may sign in. */
  readonly user: (answer: JsonObject) => ProviderClaims | undefined
  /** The issuer in its `iss`, if it sends that. @defaultValue not compared */
  readonly issuer?: string | undefined
  /** Whether it can do PKCE. @defaultValue true: others ignore it */
  readonly pkce?: boolean | undefined
  /** Where client id and secret are sent. @defaultValue 'body' */
  readonly clientAuth?: 'body' | 'basic' | undefined
  /** The format that `tokenUrl` accepts. @defaultValue 'form' */
  readonly tokenFormat?: 'form' | 'json' | undefined
  /** The parameter that lists the scopes. @defaultValue 'scope' */
  readonly scopeParameter?: string | undefined
  /** The text between scopes. @defaultValue a space */
  readonly scopeSeparator?: string | undefined
  /** The part of an answer of `tokenUrl` that has `access_token` and its companions. @defaultValue the answer */
  readonly tokens?: ((answer: JsonObject) => JsonObject | undefined) | undefined
  /** Sent along when tokens are refreshed. @defaultValue nothing */
  readonly refreshParams?:
    | ((redirectUri: string) => { readonly [name: string]: string })
    | undefined
}

/** An OAuth provider for `signInWith`. */
export interface OAuthProvider extends OAuthProviderOptions {
  /** Which protocol it speaks. */
  readonly kind: 'oauth'
}

/** Lets people sign in with a provider that speaks OAuth but not OpenID. */
export function oauthProvider(options: OAuthProviderOptions): OAuthProvider {
  return { kind: 'oauth', ...options }
}

/** An OpenID provider that knows this server as a client. */
export interface OpenIdProvider extends ProviderOptions {
  /** Which protocol it speaks. @defaultValue 'openid' */
  readonly kind?: 'openid' | undefined
  /** The issuer exactly as its metadata writes it. */
  readonly issuer: string
  /** The issuer in its metadata and tokens, with `{tenantid}` for the claim `tid`. @defaultValue `issuer` */
  readonly issuerTemplate?: string | undefined
  /** The scopes to request. @defaultValue `openid profile email`, and `offline_access` if supported */
  readonly scopes?: readonly string[] | undefined
  /** Whether people are asked to agree each time. @defaultValue 'consent' with `offline_access`, which OpenID Connect asks for; 'omit' leaves it out */
  readonly prompt?: 'consent' | 'omit' | undefined
}
