/** Something that matters for security, without any secret. */
export interface AuthAuditEvent {
  /** The kind of event. */
  readonly type: AuthAuditType
  /** In milliseconds since 1970. */
  readonly at: number
  /** The client, if there is one. */
  readonly clientId?: string | undefined
  /** The person or program, if it is known. */
  readonly subject?: string | undefined
  /** The server that a token is for. */
  readonly resource?: string | undefined
  /** The scopes that were requested or granted. */
  readonly scopes?: readonly string[] | undefined
  /** The address of the caller, if the listener knows it. */
  readonly address?: string | undefined
  /** Which sign-in it belongs to, by an id that is no secret. */
  readonly grant?: string | undefined
  /** Why it was refused. */
  readonly reason?: string | undefined
}

/** The names of events; the set is closed. */
export type AuthAuditType =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_in_limited'
  | 'sign_out'
  | 'consent_given'
  | 'consent_refused'
  | 'request_forged'
  | 'authorization_refused'
  | 'token_issued'
  | 'token_refused'
  | 'grant_revoked'
  | 'client_registered'
  | 'registration_refused'
  | 'keys_rotated'
  | 'failure'

/** Is told of each event; what it throws changes nothing. */
export type AuditSink = (event: AuthAuditEvent) => void

/** Tells the listener, and goes on whatever it does. */
export function createAuditor(
  audit: AuditSink | undefined,
  now: () => number,
): (event: Omit<AuthAuditEvent, 'at'>) => void {
  return (event) => {
    try {
      audit?.({ ...event, at: now() })
    } catch {
      // A listener that fails must not decide who gets in.
    }
  }
}

export type Auditor = ReturnType<typeof createAuditor>
