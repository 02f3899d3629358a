/** One step of signing in at a server, as it happened; secrets masked. */
export interface AuthStep {
  readonly server: string
  readonly at: number
  readonly from: 'client' | 'server' | 'issuer' | 'browser'
  readonly to: 'client' | 'server' | 'issuer' | 'browser'
  readonly title: string
  readonly request?: { readonly [name: string]: unknown } | undefined
  readonly response?: { readonly [name: string]: unknown } | undefined
  readonly failed?: boolean | undefined
}

/** What we hold for a server. Tokens are shown as their claims, never as text that can be used. */
export interface AuthView {
  readonly server: string
  readonly state: 'none' | 'signed-in' | 'signing-in' | 'refused'
  readonly issuer?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly expiresAt?: number | undefined
  readonly claims?: { readonly [name: string]: unknown } | undefined
  /** Where the user has to go, when the service cannot open a browser; http or https, shown in full. */
  readonly openUrl?: string | undefined
  readonly steps: readonly AuthStep[]
}
