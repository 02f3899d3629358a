import type { JsonObject } from '../json.ts'
import type { RawLink } from '../probe/exchange.ts'
import type { LegacyPeer } from './legacy-peer.ts'
import type { ModernPeer } from './modern-peer.ts'

/** One rule that can be seen from outside, and how to see it. */
export interface Check<Peer = LegacyPeer> {
  /** Of the requirements it shows. */
  readonly ids: readonly string[]
  readonly level: 'MUST' | 'SHOULD'
  /** In words. */
  readonly rule: string
  run(peer: Peer): Promise<Verdict> | Verdict
}

export type Verdict =
  | { readonly kind: 'kept' }
  | ({ readonly kind: 'broken' } & Evidence)
  /** It does not concern this server, or could not be tried. */
  | { readonly kind: 'skipped'; readonly why: string }

/** What was seen where a rule is broken. */
export interface Evidence {
  readonly seen: string
  readonly fix: string
  readonly sent?: unknown
  readonly got?: unknown
}

/** A check and what came of it. */
export interface Finding {
  readonly ids: readonly string[]
  readonly level: Check['level']
  readonly rule: string
  /** Which revision was spoken. */
  readonly revision: string
  readonly verdict: Verdict
}

/** A server under test. */
export interface Subject {
  /** A new connection, to a new process where it is a command. */
  open(): Promise<RawLink>
  readonly kind: RawLink['kind']
  /** What we say that we can. */
  readonly clientCapabilities?: JsonObject | undefined
  /** How long the user wants answers to be waited for. */
  readonly timeoutMs?: number | undefined
}

export type { LegacyPeer, ModernPeer }

export const kept: Verdict = { kind: 'kept' }

export function broken(
  seen: string,
  fix: string,
  about: Pick<Evidence, 'sent' | 'got'> = {},
): Verdict {
  return { kind: 'broken', seen, fix, ...about }
}

export function skipped(why: string): Verdict {
  return { kind: 'skipped', why }
}
