import { expect, test } from 'vitest'

import { activityRows } from '../../page/right/activity-rows.ts'
import { callDuration, callState } from '../../page/thread/call-state.ts'
import { readThread } from '../../page/thread/read-thread.ts'
import { addTimed } from '../../page/thread/timed-event.ts'
import { allowing, begin, openTalk, talk } from '../talking.ts'
import { createWorkshop, inProcess } from '../workshop.ts'

test('a stored turn and the same turn while it runs look alike', async () => {
  const script = [
    { text: 'I call.', calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] },
    'Done.',
  ]
  const chat = await openTalk({ script, servers: [inProcess('workshop', createWorkshop())] })
  const id = await begin(chat)

  const events = await talk(chat, id, 'Go.', allowing(chat))
  const timed = addTimed(
    [],
    events.map((event) => ({ event, at: 1 })),
  )
  const running = readThread([], { input: 'Go.', startedAt: 0, events: timed, isEnded: true })
  const kept = await chat.conversations.load(id)
  const stored = readThread(kept?.transcript.entries ?? [])

  const kinds = ['user', 'text', 'call', 'text']
  const shown = (items: typeof stored) => items.filter(({ kind }) => kind !== 'notice')
  expect(shown(running).map(({ kind }) => kind)).toEqual(kinds)
  expect(shown(stored).map(({ kind }) => kind)).toEqual(kinds)
  const call = stored.find((item) => item.kind === 'call')?.call
  expect(call).toMatchObject({ server: 'workshop', tool: 'echo', result: { isError: false } })
  expect(call && callState(call).word).toBe('done')
  expect(call && callDuration(call)).toBeGreaterThanOrEqual(0)
  expect(activityRows(stored, 0).rows).toHaveLength(1)
})

test('a call that waits, runs, was refused or failed says so', () => {
  const call = { id: 'a', server: 's', tool: 't', arguments: {}, calledAt: 0 }
  const decision = { type: 'decision', id: 'a', rule: 'r' } as const
  const result = { isError: true, content: [], wasCalled: true }

  expect(callState(call).word).toBe('waiting for you')
  expect(callState({ ...call, decision: { ...decision, decision: 'allow' } }).word).toBe('running')
  expect(callState({ ...call, decision: { ...decision, decision: 'deny' } }).word).toBe('refused')
  expect(callState({ ...call, result }).word).toBe('failed')
})

test('what a server did before anything was said stands below what was said', () => {
  const items = readThread([
    {
      kind: 'event',
      turn: 1,
      at: 1,
      event: { type: 'notice', code: 'server', server: 'mail', message: 'nothing listens there' },
    },
    {
      kind: 'message',
      turn: 1,
      at: 2,
      message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    },
  ])

  expect(items.map(({ kind }) => kind)).toEqual(['user', 'notice'])
  expect(new Set(items.map(({ key }) => key)).size).toBe(2)
})
