import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  codecOf,
  transition,
  type SessionEvent,
  type SessionState,
} from '../../src/server/sessions/session-state.ts'
import { codecFor, legacyRevisions } from '../../src/wire/revisions.ts'

const codecs = legacyRevisions.map((revision) => {
  const codec = codecFor(revision)
  if (codec === undefined) throw new Error(`${revision} has no codec`)
  return codec
})

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({
    type: fc.constant('initialize-answered' as const),
    codec: fc.constantFrom(...codecs),
  }),
  fc.record({ type: fc.constant('initialized' as const) }),
  fc.record({ type: fc.constant('closed' as const), cause: fc.anything() }),
)

const order = { opening: 0, negotiated: 1, ready: 2, closed: 3 }

describe('the states of a session, under any events,', () => {
  test('are only ever left forwards, and never the last one [LIFE-01] [LIFE-04]', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state: SessionState = { status: 'opening' }
        for (const next of events) {
          const before = state
          state = transition(before, next)
          expect(order[state.status]).toBeGreaterThanOrEqual(order[before.status])
          if (before.status === 'closed') expect(state).toBe(before)
        }
      }),
    )
  })

  test('keep the first version that was agreed [LIFE-08]', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state: SessionState = { status: 'opening' }
        const negotiated = events.find(({ type }) => type !== 'initialized')
        for (const next of events) {
          state = transition(state, next)
          const codec = codecOf(state)
          if (codec !== undefined) {
            expect(negotiated).toEqual({ type: 'initialize-answered', codec })
          }
        }
      }),
    )
  })

  test('are ready only after an answer and a confirmation, in this order [LIFE-04]', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const state = events.reduce<SessionState>(transition, { status: 'opening' })
        const types = events.map(({ type }) => type)
        const answered = types.indexOf('initialize-answered')
        const confirmed = answered === -1 ? -1 : types.indexOf('initialized', answered)

        expect(state.status === 'ready').toBe(confirmed !== -1 && !types.includes('closed'))
        expect(state.status === 'closed').toBe(types.includes('closed'))
      }),
    )
  })
})
