import type { ProviderOptions } from './provider-options.ts'

/** An OpenID provider that knows this server as a client. */
export interface OpenIdProvider extends ProviderOptions {
  /** Which protocol it speaks. @defaultValue 'openid' */
  readonly kind?: 'openid' | undefined
  /** Of its metadata, exactly as it writes it. */
  readonly issuer: string
  /** What its metadata and tokens name instead, with `{tenantid}` for the claim `tid`. @defaultValue `issuer` */
  readonly issuerTemplate?: string | undefined
  /** What to ask for. @defaultValue `openid profile email`, and `offline_access` where it has that */
  readonly scopes?: readonly string[] | undefined
  /** Whether people are asked to agree each time. @defaultValue 'consent' with `offline_access`, which OpenID Connect asks for; 'omit' leaves it out */
  readonly prompt?: 'consent' | 'omit' | undefined
}
