import type { TurnEvent } from '@parley/host'
import { expect, test } from 'vitest'

import { callLines, emptyThread, applyEvent, transcriptLines } from '../../src/terminal/thread.ts'
import { textOf } from './texts.ts'

function received(...events: readonly TurnEvent[]) {
  let thread = emptyThread
  const written: string[] = []
  for (const event of events) {
    const next = applyEvent(thread, event)
    thread = next.thread
    if (next.lines.length > 0) written.push(textOf(next.lines))
  }
  return { thread, written: written.join('\n') }
}

const called = (id: string, tool: string): TurnEvent => ({
  type: 'call',
  id,
  server: 'notes',
  tool,
  arguments: { text: 'milk' },
})
const allowed = (id: string): TurnEvent => ({
  type: 'decision',
  id,
  decision: 'allow',
  rule: 'yes',
})
const result = (id: string, tool: string, text: string, isError = false): TurnEvent => ({
  type: 'result',
  id,
  server: 'notes',
  tool,
  isError,
  content: [{ type: 'text', text }],
  wasCalled: true,
})
const end: TurnEvent = { type: 'end', reason: 'answered', text: '' }

test('an answer is written line by line as it comes; the last line stays open', () => {
  const { thread, written } = received(
    { type: 'text', text: 'one\ntw' },
    { type: 'text', text: 'o\nthr' },
  )

  expect(written).toBe('one\ntwo')
  expect(thread.answer).toBe('thr')
})

test('calls are written in their order, each with what came of it, and show progress meanwhile', () => {
  const running = received(
    { type: 'text', text: 'I look.' },
    called('1', 'first'),
    called('2', 'second'),
    allowed('1'),
    allowed('2'),
    {
      type: 'progress',
      id: '1',
      server: 'notes',
      tool: 'first',
      progress: 3,
      total: 10,
      message: 'half',
    },
    result('2', 'second', 'Done it.'),
  )
  expect(running.written).toBe('I look.')
  expect(textOf(running.thread.calls.flatMap(callLines))).toBe(
    '… notes · first {"text":"milk"}\n  ███░░░░░░░ 30 % half\n✓ notes · second {"text":"milk"}\n  Done it.',
  )

  const ended = received(
    called('1', 'first'),
    called('2', 'second'),
    allowed('1'),
    allowed('2'),
    result('2', 'second', 'two'),
    result('1', 'first', 'no', true),
    end,
  )
  expect(ended.written).toBe(
    '✗ notes · first {"text":"milk"}\n  no\n✓ notes · second {"text":"milk"}\n  two\n',
  )
})

test('a refusal says by which rule, and what the host answers itself is there too', () => {
  const { written } = received(
    called('1', 'first'),
    { type: 'decision', id: '1', decision: 'deny', rule: 'rule 1: deny' },
    { ...result('1', 'first', 'The call was refused', true), wasCalled: false } as TurnEvent,
    {
      type: 'result',
      id: '2',
      tool: 'find_tools',
      isError: false,
      content: [{ type: 'text', text: 'found' }],
      wasCalled: false,
    },
  )

  expect(written).toBe(
    '⊘ notes · first {"text":"milk"}\n  rule 1: deny\n✓ host · find_tools\n  found',
  )
})

test('nothing that servers and models write is obeyed by the terminal, wherever they write it', () => {
  const evil = 'a\u001b[31mb\u001b]0;x\u0007c\u009b2Jd\u202ee\rf'
  const events: readonly TurnEvent[] = [
    { type: 'text', text: 'split \u001b' },
    { type: 'text', text: `[2J${evil}\n${evil}` },
    { type: 'call', id: '1', server: evil, tool: evil, arguments: { [evil]: evil } },
    { type: 'decision', id: '1', decision: 'allow', rule: evil },
    { type: 'progress', id: '1', server: evil, tool: evil, progress: 1, message: evil },
    { type: 'notice', code: 'warning', message: evil, server: evil },
    { type: 'server', server: evil, state: 'failed', error: evil },
    result('1', evil, evil),
    result('9', evil, evil, true),
    { type: 'end', reason: 'model-error', text: '', message: evil },
  ]
  for (let count = 1; count <= events.length; count += 1) {
    const { thread, written } = received(...events.slice(0, count))
    const all = written + textOf(thread.calls.flatMap(callLines))
    // oxlint-disable-next-line no-control-regex
    expect(all).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  }
})

test('a kept conversation is shown again: who said what, and the calls; the oldest turns of a long one are counted', () => {
  const entries = Array.from({ length: 25 }, (_, at) => [
    {
      kind: 'message' as const,
      turn: at + 1,
      at: 0,
      message: {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: `question ${at + 1}` }],
      },
    },
    {
      kind: 'message' as const,
      turn: at + 1,
      at: 0,
      message: { role: 'assistant' as const, text: `answer ${at + 1}`, calls: [] },
    },
    { kind: 'event' as const, turn: at + 1, at: 0, event: end },
  ]).flat()

  const text = textOf(transcriptLines({ version: 1, id: 'x', entries }))

  expect(text.startsWith('… 5 earlier turns')).toBe(true)
  expect(text).toContain('> question 6\nanswer 6\n')
  expect(text).toContain('> question 25\nanswer 25')
  expect(text).not.toContain('question 5\n')
})

test('shows a program as a tree: its title, its calls below it, its console and its end', () => {
  const inner = (event: TurnEvent): TurnEvent => ({ ...event, program: 'p' }) as TurnEvent // all three have it
  const { written, thread } = received(
    { type: 'program', id: 'p', call: '1', source: '// adds \u001b[31mmilk\nreturn 1' },
    inner(called('1.0', 'add')),
    inner(allowed('1.0')),
    { type: 'log', program: 'p', text: 'one' },
    inner(result('1.0', 'add', 'done')),
    { type: 'program-end', id: 'p', call: '1', outcome: 'returned', text: '1', calls: 1, cpuMs: 2 },
    { type: 'program-end', id: 'q', call: '2', outcome: 'cpu', text: 'a loop', calls: 2, cpuMs: 2 },
  )

  expect(thread.calls).toEqual([])
  expect(written).toBe(`▸ program: adds \\e[31mmilk
  one
  ✓ notes · add {"text":"milk"}
    done
✓ program returned, 1 call
  1
✗ program ended (cpu), 2 calls
  a loop`)
})
