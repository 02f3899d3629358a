import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { textOf } from '../../../test-support/text-of.ts'
import { openClient, step } from './support.ts'

const reference = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
)

/** One after the other in one session, so that what was thought before shows in what follows. */
const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['a first step', step()],
  ['a second step', step({ thoughtNumber: 2 })],
  ['more steps than planned', step({ thoughtNumber: 5 })],
  ['numbers as text', step({ thoughtNumber: '4', totalThoughts: '6' })],
  ['numbers as text with white space', step({ thoughtNumber: ' 4 ' })],
  ['a number in another base', step({ thoughtNumber: '0x4' })],
  ['a boolean as text', step({ nextThoughtNeeded: 'false' })],
  ['a boolean as text in capitals', step({ nextThoughtNeeded: 'TRUE' })],
  ['a boolean as text in mixed letters', step({ nextThoughtNeeded: 'fAlSe' })],
  ['the last step', step({ nextThoughtNeeded: false, thoughtNumber: 3 })],
  ['a revision', step({ isRevision: true, revisesThought: 1 })],
  ['a revision, all as text', step({ isRevision: 'true', revisesThought: '1' })],
  ['a revision of nothing', step({ isRevision: true })],
  ['a branch', step({ branchFromThought: 1, branchId: 'a' })],
  ['the same branch again', step({ branchFromThought: 1, branchId: 'a', thoughtNumber: 2 })],
  ['another branch', step({ branchFromThought: '2', branchId: 'b' })],
  ['a branch without name', step({ branchFromThought: 1 })],
  ['a branch with an empty name', step({ branchFromThought: 1, branchId: '' })],
  ['a name without branch', step({ branchId: 'c' })],
  ['a branch named after a number', step({ branchFromThought: 1, branchId: 'z' })],
  ['more thoughts needed', step({ needsMoreThoughts: true })],
  ['more thoughts needed, as text', step({ needsMoreThoughts: 'False' })],
  ['a large number', step({ thoughtNumber: 1_000_000 })],
  ['a long thought', step({ thought: 'x'.repeat(10_000) })],
  ['an empty thought', step({ thought: '' })],
  [
    'letters of other alphabets',
    step({ thought: 'Жук 虫 🐛', branchFromThought: 1, branchId: '虫' }),
  ],
  ['something nobody asked for', step({ mood: 'good' })],
  ['no thought', { nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 1 }],
  ['no number', { thought: 'x', nextThoughtNeeded: true, totalThoughts: 1 }],
  ['no total', { thought: 'x', nextThoughtNeeded: true, thoughtNumber: 1 }],
  ['nothing about the next', { thought: 'x', thoughtNumber: 1, totalThoughts: 1 }],
  ['nothing at all', {}],
  ['a thought that is no text', step({ thought: 7 })],
  ['number zero', step({ thoughtNumber: 0 })],
  ['a negative number', step({ totalThoughts: -1 })],
  ['half a number', step({ thoughtNumber: 1.5 })],
  ['half a number as text', step({ thoughtNumber: '1.5' })],
  ['a number in words', step({ thoughtNumber: 'one' })],
  ['an empty number', step({ thoughtNumber: '' })],
  ['null for a number', step({ thoughtNumber: null })],
  ['a number too large', step({ thoughtNumber: 1e300 })],
  ['yes for a boolean', step({ nextThoughtNeeded: 'yes' })],
  ['an empty boolean', step({ nextThoughtNeeded: '' })],
  ['one for a boolean', step({ nextThoughtNeeded: 1 })],
  ['null for a boolean', step({ isRevision: null })],
  ['a branch from zero', step({ branchFromThought: 0, branchId: 'd' })],
  ['a step after all this', step({ thoughtNumber: 9 })],
]

test('answers as the reference does', async () => {
  const env = { DISABLE_THOUGHT_LOGGING: 'true' }
  await using theirs = await connect({ command: process.execPath, args: [reference], env })
  await using ours = await openClient()

  for (const [name, args] of calls) {
    const expected = await theirs.callTool('sequentialthinking', args)
    const result = await ours.callTool('sequentialthinking', args)

    expect(result.isError ?? false, name).toBe(expected.isError ?? false)
    if (expected.isError) continue // each says in its own words what is wrong
    expect(textOf(result), name).toBe(textOf(expected))
    expect(result.structuredContent, name).toEqual(expected.structuredContent)
  }
})
