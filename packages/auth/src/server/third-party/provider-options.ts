import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { Account } from '../sign-in/users.ts'

/** What a provider says about somebody: `sub`, and `name`, `preferred_username`, `email`, `email_verified` where known. */
export interface ProviderClaims {
  /** The id of the account there. Never given to somebody else. */
  readonly sub: string
  /** What else it says. */
  readonly [name: string]: unknown
}

/** What all providers have in common. */
export interface ProviderOptions {
  /**
   * What `upstream()` calls it, and the end of the redirect URI to register there:
   * `<issuer of this server>/sign-in-callback/<id>`. @defaultValue the name in lower case, with dashes
   */
  readonly id?: string | undefined
  /** On the button: "Continue with …". */
  readonly name: string
  /** Of the application registered there. */
  readonly clientId: string
  /** The secret of the same application. */
  readonly clientSecret: string
  /** What to ask for. @defaultValue what is needed to know who signed in */
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
      ) => MaybePromise<Account | undefined>)
    | undefined
}

/** What is given to the functions for known providers; the rest they know. */
export interface KnownProviderOptions extends Omit<
  ProviderOptions,
  'name' | 'apiHeaders' | 'accepts'
> {
  /** On the button. @defaultValue the name of the provider */
  readonly name?: string | undefined
}
