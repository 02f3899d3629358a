import type { RunOutcome } from './runs.ts'

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
  /** What a call was refused for, and the user was not asked for yet. */
  readonly needs?: readonly string[] | undefined
  /** The last try of a call with too few scopes. */
  readonly stepUp?: StepUp | undefined
  /** How signing out went, until somebody signs in again. */
  readonly signedOut?: SignedOut | undefined
  readonly steps: readonly AuthStep[]
}

/** A call with too few scopes, from the refusal to the answer. */
export interface StepUp {
  readonly tool: string
  readonly isRunning: boolean
  readonly stages: readonly StepUpStage[]
  readonly outcome?: RunOutcome | undefined
}

export interface StepUpStage {
  readonly stage: 'token' | 'challenge' | 'consent' | 'grant' | 'call'
  readonly verdict: 'right' | 'wrong' | 'note'
  readonly text: string
  readonly scopes?: readonly string[] | undefined
}

/** What became of the tokens. Here there are none any more, whatever it says. */
export interface SignedOut {
  readonly kind: 'absent' | 'revoked' | 'unsupported' | 'failed'
  readonly issuer?: string | undefined
  readonly why?: string | undefined
  /** What the server answered to the token afterwards. */
  readonly status?: number | undefined
}
