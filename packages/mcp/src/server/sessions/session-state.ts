import type { Request } from '../../rpc/message.ts'
import type { Codec } from '../../wire/codec.ts'
import { newestRevision } from '../../wire/features.ts'
import { hasEnvelope } from '../../wire/request-meta.ts'

/** Where a legacy session stands. Modern requests stand alone and change nothing here. */
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

/** Events that make no sense in a state leave it as it is: a peer's order is no reason to break. */
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

/** The codec in force, once one has been agreed. */
export function codecOf(state: SessionState): Codec | undefined {
  return state.status === 'negotiated' || state.status === 'ready' ? state.codec : undefined
}

/** Which eras a service speaks: legacy ones begin with `initialize`, modern requests stand alone. */
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

/** What becomes of a request. */
export type Step =
  | 'answer-ping'
  | 'start-call'
  | 'start-modern-call'
  | 'initialize'
  | 'refuse-initialize'
  | 'refuse-second-initialize'
  | 'refuse-before-initialize'
  | 'refuse-draining'

/** The step a request leads to. A modern request says so itself, so that both eras may share one channel. */
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

/** Whether a request stands alone: it says so, or nothing else is spoken here. */
export function isModern({ method, params }: Request, eras: Eras): boolean {
  return eras.modern && (hasEnvelope(params) || (!eras.legacy && method !== 'initialize'))
}
