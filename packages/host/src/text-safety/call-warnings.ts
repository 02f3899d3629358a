import type { ProposedCall } from '../consent/consent.ts'

/** A tool of a server, by name. */
export interface KnownName {
  readonly server: string
  readonly tool: string
}

/** What a person should know before they allow a call, in words. */
export function callWarnings(_call: ProposedCall, _names: Iterable<KnownName>): readonly string[] {
  return []
}
