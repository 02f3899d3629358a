import type { JsonObject } from '../../shared/json.ts'
import type { ProviderClaims, ProviderOptions } from './provider-options.ts'

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
  /** What it calls itself in `iss`, if it sends that. @defaultValue not compared */
  readonly issuer?: string | undefined
  /** Whether it can do PKCE. @defaultValue true: others ignore it */
  readonly pkce?: boolean | undefined
  /** Where client id and secret are sent. @defaultValue 'body' */
  readonly clientAuth?: 'body' | 'basic' | undefined
  /** What it reads at `tokenUrl`. @defaultValue 'form' */
  readonly tokenFormat?: 'form' | 'json' | undefined
  /** The parameter that lists the scopes. @defaultValue 'scope' */
  readonly scopeParameter?: string | undefined
  /** What stands between scopes. @defaultValue a space */
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
