import { createTestClient, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { textOf } from '../../../test-support/text-of.ts'
import { boxThought } from '../src/box-thought.ts'
import { createHistory } from '../src/history.ts'
import { createSequentialThinkingServer } from '../src/sequential-thinking.ts'
import { referenceTool } from './reference.ts'
import { openClient, step } from './support.ts'

describe.each(triedRevisions)('in %s', (revision) => {
  test('lists the tool of the reference', async () => {
    await using client = await openClient({}, { revision })

    const [tool, ...others] = await client.listTools().toArray()

    const hasOutput = revision >= '2025-06-18'
    expect(client.server.info?.name).toBe('sequential-thinking-server')
    expect(others).toEqual([])
    expect(tool?.name).toBe(referenceTool.name)
    expect(tool?.title).toBe(hasOutput ? referenceTool.title : undefined)
    expect(withoutDescriptions(tool?.inputSchema)).toEqual(referenceTool.inputSchema)
    expect(tool?.outputSchema).toEqual(hasOutput ? referenceTool.outputSchema : undefined)
    expect(tool?.annotations).toEqual(
      revision >= '2025-03-26' ? referenceTool.annotations : undefined,
    )
    expect(tool?.execution).toEqual(
      revision === '2025-11-25' ? { taskSupport: 'forbidden' } : undefined,
    )
  })

  test('keeps the thoughts of a caller, and shows them [REFS-06]', async () => {
    await using client = await openClient({ enable: ['get_thoughts', 'reset'] }, { revision })

    await client.callTool('sequentialthinking', step({ thought: 'First.' }))
    await client.callTool(
      'sequentialthinking',
      step({ thought: 'Other.', branchFromThought: 1, branchId: 'b' }),
    )
    const { contents } = await client.readResource('thinking://history')
    const branch = await client.callTool('get_thoughts', { branchId: 'b' })
    const reset = await client.callTool('reset')
    const after = await client.callTool('sequentialthinking', step())

    expect(contents).toMatchObject([
      {
        mimeType: 'text/markdown',
        text: '# Thoughts\n\n## Thought 1/3\n\nFirst.\n\n## Branch 1/3 from thought 1, ID: b\n\nOther.',
      },
    ])
    expect(JSON.parse(textOf(branch))).toMatchObject({
      thoughts: [{ thought: 'Other.' }],
      total: 1,
      branches: ['b'],
    })
    expect(JSON.parse(textOf(reset))).toEqual({ forgotten: 2 })
    expect(JSON.parse(textOf(after))).toMatchObject({ thoughtHistoryLength: 1, branches: [] })
  })
})

describe('whose history it is', () => {
  async function lengthAfterOne(
    server: ReturnType<typeof createSequentialThinkingServer>,
    options: Parameters<typeof createTestClient>[1],
    handle?: string,
  ): Promise<unknown> {
    await using client = await createTestClient(server, options)
    const meta = handle === undefined ? {} : { _meta: { 'parley/thinking-session': handle } }
    const result = await client.callTool('sequentialthinking', step(), meta)
    return (JSON.parse(textOf(result)) as { thoughtHistoryLength: unknown }).thoughtHistoryLength
  }

  test.each(triedRevisions.filter((revision) => revision < '2026-07-28'))(
    'that of the session in %s',
    async (revision) => {
      const server = createSequentialThinkingServer()

      expect(await lengthAfterOne(server, { revision })).toBe(1)
      expect(await lengthAfterOne(server, { revision })).toBe(1)
    },
  )

  test('that of the caller where there are no sessions', async () => {
    const server = createSequentialThinkingServer()
    const revision = '2026-07-28'
    const ada = { revision, caller: testAuth({ subject: 'ada' }) } as const
    const bob = { revision, caller: testAuth({ subject: 'bob' }) } as const

    expect(await lengthAfterOne(server, ada)).toBe(1)
    expect(await lengthAfterOne(server, ada)).toBe(2)
    expect(await lengthAfterOne(server, bob)).toBe(1)
    expect(await lengthAfterOne(server, { revision })).toBe(1)
  })

  test('the one a caller names, and no other caller gets it by that name', async () => {
    const server = createSequentialThinkingServer()
    const revision = '2026-07-28'
    const ada = { revision, caller: testAuth({ subject: 'ada' }) } as const
    const bob = { revision, caller: testAuth({ subject: 'bob' }) } as const

    expect(await lengthAfterOne(server, ada, 'plan')).toBe(1)
    expect(await lengthAfterOne(server, ada, 'plan')).toBe(2)
    expect(await lengthAfterOne(server, ada, 'other')).toBe(1)
    expect(await lengthAfterOne(server, bob, 'plan')).toBe(1)
  })
})

describe('a history is bounded', () => {
  const thought = { thought: 'x', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 1 }

  test('in thoughts: the oldest make room', () => {
    const history = createHistory({ maxThoughts: 3 })

    for (const text of ['a', 'b', 'c', 'd']) history.add({ ...thought, thought: text })

    expect(history.thoughts().map((one) => one.thought)).toEqual(['b', 'c', 'd'])
  })

  test('in branches: those without thoughts and the oldest make room', () => {
    const history = createHistory({ maxBranches: 2, maxThoughts: 3 })

    for (const branchId of ['a', 'b', 'c'])
      history.add({ ...thought, branchFromThought: 1, branchId })
    expect(history.branches()).toEqual(['b', 'c'])
    history.add(thought)
    history.add(thought)

    expect(history.branches()).toEqual(['c'])
  })

  test('a branch that made room and comes back is listed as long as one of its thoughts is kept', () => {
    const history = createHistory({ maxThoughts: 5, maxBranches: 2 })

    for (const branchId of ['a', 'a', 'b', 'c', 'a', 'b'])
      history.add({ ...thought, branchFromThought: 1, branchId })

    expect(history.thoughts().map((one) => one.branchId)).toEqual(['a', 'b', 'c', 'a', 'b'])
    expect(history.branches()).toEqual(['a', 'b'])
    for (let count = 0; count < 3; count += 1) history.add(thought)
    expect(history.branches()).toEqual(['a', 'b'])
    history.add(thought)
    expect(history.branches()).toEqual(['b'])
  })

  test('in bytes: the oldest make room, and what is too long alone is refused', async () => {
    await using client = await openClient({ maxBytes: 10_000 })
    const long = step({ thought: 'x'.repeat(2_000) })

    for (let count = 0; count < 5; count += 1) await client.callTool('sequentialthinking', long)
    const result = await client.callTool('sequentialthinking', long)
    const refused = await client.callTool(
      'sequentialthinking',
      step({ thought: 'x'.repeat(6_000) }),
    )

    expect(JSON.parse(textOf(result))).toMatchObject({ thoughtHistoryLength: 2 })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('too long')
  })

  test('by default to 1000 thoughts, 100 branches and 5 MB', () => {
    const history = createHistory()

    for (let index = 0; index < 1_200; index += 1) {
      history.add({ ...thought, branchFromThought: 1, branchId: `b${index}` })
    }
    expect(history.thoughts()).toHaveLength(1_000)
    expect(history.branches()).toHaveLength(100)

    for (let index = 0; index < 100; index += 1) {
      history.add({ ...thought, thought: 'x'.repeat(100_000) })
    }
    expect(history.thoughts().length).toBeLessThan(25)
  })
})

test('boxes a thought for the terminal, without what would steer it', () => {
  const box = boxThought({
    thought: 'One\u001b[31m red\u0007\nTwo\u202e',
    nextThoughtNeeded: true,
    thoughtNumber: 1,
    totalThoughts: 2,
    isRevision: true,
    revisesThought: 1,
  })

  expect(box.split('\n')).toEqual([
    '┌───────────────────────────┐',
    '│ Revision 1/2 of thought 1 │',
    '├───────────────────────────┤',
    '│ One red                   │',
    '│ Two                       │',
    '└───────────────────────────┘',
  ])
})

function withoutDescriptions(schema: object | undefined): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value)),
  )
}
