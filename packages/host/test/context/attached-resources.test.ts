import type { Host, TurnEvent } from '@parley/host'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { inProcess, of, play, testHost } from '../playing.ts'

/** A document that changes, and who follows it. */
function changingDocument() {
  const server = createServer({ name: 'docs', version: '1.0.0' })
  const changes = new EventTarget()
  const state = { text: 'First version.', isGone: false, reads: 0, followers: 0 }
  server.resource(
    'docs://plan',
    {
      name: 'plan',
      watch(_, changed, signal) {
        state.followers += 1
        signal.addEventListener('abort', () => (state.followers -= 1))
        changes.addEventListener('change', changed, { signal })
      },
    },
    () => {
      state.reads += 1
      if (state.isGone) throw new Error('deleted')
      return state.text
    },
  )
  const change = (more: Partial<typeof state>) => {
    Object.assign(state, more)
    changes.dispatchEvent(new Event('change'))
  }
  return { server, state, change }
}

const plan = { server: 'docs', uri: 'docs://plan' }
const withPlan = { content: [{ type: 'text', text: 'Go.' }], attachments: [plan] } as const

/** A host, and the changes that it tells of. */
function listening(server: Parameters<typeof inProcess>[1]) {
  const told: TurnEvent[] = []
  const script = Array.from({ length: 5 }, () => 'I see.')
  const host = testHost(script, [inProcess('docs', server)], { onEvent: (one) => told.push(one) })
  const changes = () => of(told, 'notice').filter(({ code }) => code === 'resource-changed')
  return { host, changes }
}

async function subscribed(host: Host, conversation: string): Promise<void> {
  await vi.waitFor(() => expect(host.attached(conversation)[0]?.isFollowed).toBe(true), 10_000)
}

test('an attached resource is followed: a change is told with what it was and is, and not given to the model [RUI-06] [RUI-11]', async () => {
  const { server, state, change } = changingDocument()
  const { host, changes } = listening(server)
  const conversation = host.conversation()
  const events = await play(conversation.turn(withPlan))
  await subscribed(host, conversation.id)

  expect(of(events, 'notice')).toContainEqual(
    expect.objectContaining({ code: 'attached', server: 'docs', uri: 'docs://plan' }),
  )
  expect(host.attached(conversation.id)[0]?.change).toBeUndefined()

  change({ text: 'Second version.' })
  await vi.waitFor(() => expect(changes()).toHaveLength(1), 10_000)

  expect(changes()[0]).toMatchObject(plan)
  expect(host.attached(conversation.id)).toMatchObject([
    { ...plan, change: { before: 'First version.', after: 'Second version.' } },
  ])
  expect(JSON.stringify(conversation.messages)).not.toContain('Second version.')

  change({ text: 'First version.' })
  await vi.waitFor(() => expect(changes()).toHaveLength(2), 10_000)
  expect(host.attached(conversation.id)[0]?.change).toBeUndefined()
  expect(state.followers).toBe(1)
})

test('attached again it is compared with what the model got last, and other conversations keep theirs [RUI-06]', async () => {
  const { server, change } = changingDocument()
  const { host, changes } = listening(server)
  const [one, other] = [host.conversation(), host.conversation()]
  await play(one.turn(withPlan))
  await play(other.turn(withPlan))
  await subscribed(host, one.id)
  change({ text: 'Second version.' })
  await vi.waitFor(() => expect(changes()).toHaveLength(1), 10_000)

  await play(one.turn(withPlan))

  expect(host.attached(one.id)).toHaveLength(1)
  expect(host.attached(one.id)[0]?.change).toBeUndefined()
  expect(host.attached(other.id)[0]?.change?.after).toBe('Second version.')
  expect(JSON.stringify(one.messages)).toContain('Second version.')
})

test('one that is gone says so; detached from all conversations it is not followed any more [RUI-06]', async () => {
  const { server, state, change } = changingDocument()
  const { host, changes } = listening(server)
  const [one, other] = [host.conversation(), host.conversation()]
  await play(one.turn(withPlan))
  await play(other.turn(withPlan))
  await subscribed(host, one.id)
  change({ isGone: true })
  await vi.waitFor(() => expect(changes()).toHaveLength(1), 10_000)

  expect(host.attached(one.id)[0]?.change).toMatchObject({ before: 'First version.', after: '' })
  expect(host.attached(one.id)[0]?.change?.problem).not.toBe('')

  host.detach(one.id, plan)
  expect(host.attached(one.id)).toEqual([])
  expect(state.followers).toBe(1)
  host.detach(other.id, plan)
  await vi.waitFor(() => expect(state.followers).toBe(0), 10_000)
})

test('after a restart of its server it is followed again, and what changed meanwhile is seen [RUI-06]', async () => {
  const { server, state } = changingDocument()
  const { host, changes } = listening(server)
  const conversation = host.conversation()
  await play(conversation.turn(withPlan))
  await subscribed(host, conversation.id)
  await host.stop('docs')
  await vi.waitFor(() => expect(host.attached(conversation.id)[0]?.isFollowed).toBe(false), 10_000)
  state.text = 'Changed while nobody looked.'

  await host.restart('docs')
  await vi.waitFor(() => expect(changes()).toHaveLength(1), 10_000)

  expect(host.attached(conversation.id)[0]?.change?.after).toBe('Changed while nobody looked.')
})

test('a resource that cannot be attached, or of a server that tells nothing, is not followed [RUI-06]', async () => {
  const { server, state } = changingDocument()
  const quiet = createServer({ name: 'quiet', version: '1.0.0' })
  quiet.resource('docs://plan', { name: 'plan' }, () => 'Still.')
  const host = testHost(
    ['I see.', 'I see.'],
    [
      inProcess('docs', server),
      inProcess('quiet', quiet, { connect: { protocolVersion: 'legacy' } }),
    ],
  )
  state.isGone = true
  const conversation = host.conversation()

  await play(conversation.turn(withPlan))
  await vi.waitFor(() => expect(state.followers).toBe(0), 10_000)
  expect(host.attached(conversation.id)).toEqual([])

  await play(conversation.turn({ ...withPlan, attachments: [{ ...plan, server: 'quiet' }] }))
  expect(host.attached(conversation.id)).toMatchObject([{ server: 'quiet' }])
})
