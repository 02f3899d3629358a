// How a server is tested: in process, in every revision, with its own time, its own faults and its own callers.
import { supportedRevisions } from '@parley/mcp'
import { createTestClient, createVirtualClock, testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createCalculator } from '../testing.ts'

const server = createCalculator()

test.each(supportedRevisions)('adds in %s', async (revision) => {
  await using client = await createTestClient(server, { revision })

  const { content } = await client.callTool('add', { a: 1, b: 2 })

  expect(client.negotiated.revision).toBe(revision)
  expect(content).toEqual([{ type: 'text', text: '{"sum":3}' }])
})

test('a call without a sign of life times out', async () => {
  const clock = createVirtualClock()
  await using client = await createTestClient(server, { clock, timeouts: { idleMs: 1_000 } })

  const failure = client.callTool('wait').catch((error: unknown) => error)
  await clock.advance(1_000)

  expect(await failure).toMatchObject({
    code: 'timeout',
    details: { limit: 'idle', ms: 1_000 },
  })
})

test('the tool stops when its own time is over', async () => {
  const clock = createVirtualClock()
  await using client = await createTestClient(server, { clock })

  const result = client.callTool('wait')
  await clock.advance(60_000)

  expect(await result).toMatchObject({ isError: true, content: [{ text: /ran out of time/ }] })
})

test('a lost answer rejects the call that waited for it', async () => {
  const rules = [
    { when: { direction: 'in', method: 'tools/call' }, fault: { kind: 'close' } },
  ] as const
  await using client = await createTestClient(server, { faults: { rules } })

  await expect(client.callTool('add', { a: 1, b: 2 })).rejects.toMatchObject({
    code: 'connection_lost',
  })
})

test('callers are kept apart', async () => {
  const as = (subject: string, ...scopes: string[]) =>
    createTestClient(server, { caller: testAuth({ subject, scopes }) })
  await using ada = await as('ada', 'profile')
  await using bob = await as('bob')

  expect(await ada.callTool('who_am_i')).toMatchObject({ content: [{ text: 'ada' }] })
  await expect(bob.callTool('who_am_i')).rejects.toMatchObject({ code: 'insufficient_scope' })
  expect(JSON.stringify(ada.frames)).not.toContain('bob')
})

test('the frames show what crossed', async () => {
  await using client = await createTestClient(server)

  await client.callTool('add', { a: 1, b: 2 })

  const sent = client.frames.filter(({ direction }) => direction === 'out')
  expect(sent.map(({ message }) => message)).toContainEqual(
    expect.objectContaining({
      method: 'tools/call',
      params: expect.objectContaining({ name: 'add', arguments: { a: 1, b: 2 } }) as object,
    }),
  )
})
