import type { JsonObject, RpcError } from '@parley/mcp'
import type { BackendOutcome, BackendCaller } from '@parley/mcp/internal/relay'

/** The caller's data as verified by a guard. */
export type CallerAuth = NonNullable<BackendCaller['auth']>

/** A request that another process is to do for a caller of this one. */
export interface Forward {
  /** The server that it is about. */
  readonly upstream: string
  readonly id: string | number
  readonly operation: string
  /** The params for the server. */
  readonly params: JsonObject
  readonly caller: {
    readonly revision: string
    readonly client: BackendCaller['client']
    readonly auth?: WrittenAuth | undefined
    readonly sessionId?: string | undefined
    readonly logLevel?: BackendCaller['logLevel']
    /** The server that states of the caller's calls are bound to. */
    readonly server?: string | undefined
  }
}

/** A caller, as JSON. */
export type WrittenAuth = Omit<CallerAuth, 'scopes' | 'claims'> & {
  readonly scopes: readonly string[]
  readonly claims: JsonObject
}

/** One line of the answer to a forward. */
export type ForwardLine =
  | { readonly kind: 'notify'; readonly method: string; readonly params: JsonObject }
  /** A question to the client; its answer is posted. */
  | {
      readonly kind: 'ask'
      readonly inputRequest: number
      readonly method: string
      readonly params: JsonObject | undefined
    }
  | { readonly kind: 'answer'; readonly answer: BackendOutcome; readonly isParked: boolean }
  | { readonly kind: 'failed'; readonly error: WrittenError }

/** The answer of a client to a question. */
export interface ForwardedReply {
  /** The forward that it belongs to. */
  readonly forward: string
  readonly inputRequest: number
  readonly result?: JsonObject | undefined
  readonly error?: WrittenError | undefined
}

/** An `RpcError`, as JSON. */
export interface WrittenError {
  readonly code: RpcError['code']
  readonly message: string
  readonly data?: unknown
}

export function writeAuth(auth: CallerAuth): WrittenAuth {
  const expiresAt = Math.min(auth.expiresAt, Number.MAX_SAFE_INTEGER) // JSON has no infinity
  const claims = auth.claims as JsonObject // what is not JSON in them stays here
  return { ...auth, expiresAt, claims, scopes: [...auth.scopes] }
}

export function readAuth(written: WrittenAuth): CallerAuth {
  return { ...written, scopes: new Set(written.scopes) }
}
