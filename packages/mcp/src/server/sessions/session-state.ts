import type { Request } from '../../rpc/message.ts'
import type { Codec } from '../../wire/codec.ts'
import { newestRevision } from '../../wire/features.ts'
import { hasEnvelope } from '../../wire/request-meta.ts'

/** The state of a session that begins with `initialize`. Modern requests change nothing here. */
export type SessionState =
  | { readonly status: 'opening' }
  /** `initialize` was answered, `notifications/initialized` has not arrived yet. */
  | { readonly status: 'negotiated'; readonly codec: Codec }
  | { readonly status: 'ready'; readonly codec: Codec }
  | { readonly status: 'closed'; readonly cause?: unknown }

export type SessionEvent =
  | { readonly type: 'initialize-answered'; readonly codec: Codec }
  | { readonly type: 'initialized' }
  | { readonly type: 'closed'; readonly cause?: unknown }

/** Ignores events that are not valid in the current state, so that a client that sends messages out of order breaks nothing. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'initialize-answered':
      return state.status === 'opening' ? { status: 'negotiated', codec: event.codec } : state
    case 'initialized':
      return state.status === 'negotiated' ? { status: 'ready', codec: state.codec } : state
    case 'closed':
      return state.status === 'closed' ? state : { status: 'closed', cause: event.cause }
  }
}

/** The negotiated codec; undefined before that. */
export function codecOf(state: SessionState): Codec | undefined {
  return state.status === 'negotiated' || state.status === 'ready' ? state.codec : undefined
}

/** The eras that a service supports: legacy revisions begin with `initialize`, modern requests need no session. */
export interface Eras {
  readonly legacy: boolean
  readonly modern: boolean
}

export function erasOf(revisions: readonly string[]): Eras {
  return {
    legacy: newestRevision('legacy', revisions) !== undefined,
    modern: newestRevision('modern', revisions) !== undefined,
  }
}

/** The next step for a request. */
export type Step =
  | 'answer-ping'
  | 'start-call'
  | 'start-modern-call'
  | 'initialize'
  | 'refuse-initialize'
  | 'refuse-second-initialize'
  | 'refuse-before-initialize'
  | 'refuse-draining'

/** Returns the next step for a request. Modern requests are recognized by their `_meta`, so that both eras can share a channel. */
export function stepOf(
  request: Request,
  state: SessionState,
  eras: Eras,
  isDraining: boolean,
): Step {
  const { method } = request
  if (isModern(request, eras)) return 'start-modern-call'
  if (method === 'ping') return 'answer-ping'
  if (isDraining) return 'refuse-draining'
  if (method !== 'initialize') {
    return codecOf(state) === undefined ? 'refuse-before-initialize' : 'start-call'
  }
  if (!eras.legacy) return 'refuse-initialize'
  return state.status === 'opening' ? 'initialize' : 'refuse-second-initialize'
}

/** True if a request has the `_meta` of 2026-07-28, or only such revisions are supported here. */
export function isModern({ method, params }: Request, eras: Eras): boolean {
  return eras.modern && (hasEnvelope(params) || (!eras.legacy && method !== 'initialize'))
}
