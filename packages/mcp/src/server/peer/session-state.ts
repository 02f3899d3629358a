import type { Codec } from '../../wire/codec.ts'

/** Where a session by handshake stands; the same on both sides. */
export type SessionState =
  | { readonly status: 'opening' }
  /** `initialize` was answered, `notifications/initialized` has not passed yet. */
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
