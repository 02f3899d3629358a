import type { Account } from '../sign-in/users.ts'

/** Somebody else's accounts that people may sign in with: an OpenID provider that knows this server as a client. */
export interface ThirdParty {
  /** Of its metadata, exactly as it writes it. */
  readonly issuer: string
  /** On the button: "Continue with …". */
  readonly name: string
  /** As agreed with it. Its redirect URI is `<issuer of this server>/sign-in-callback`. */
  readonly clientId: string
  /** The secret that was agreed with it. */
  readonly clientSecret: string
  /** @defaultValue `openid profile email`, and `offline_access` where it has that */
  readonly scopes?: readonly string[] | undefined
  /**
   * Who that is here; undefined refuses them.
   * @defaultValue the issuer and its `sub`, with their name and address: everybody who has an account there may sign in
   */
  readonly account?:
    | ((claims: { readonly [name: string]: unknown }) => Account | undefined)
    | undefined
}

/** Who somebody is here if nothing else is said. */
export function accountAt(
  { issuer, account }: ThirdParty,
  claims: { readonly sub: string; readonly [name: string]: unknown },
): Account | undefined {
  if (account !== undefined) return account(claims)
  const { sub, name, email, preferred_username: login } = claims
  const known = Object.entries({ name, email, preferred_username: login })
  return {
    subject: `${issuer}|${sub}`,
    claims: Object.fromEntries(known.filter(([, value]) => typeof value === 'string')),
  }
}
