import { createRecorder, writeTrace } from '@parley/foundation/trace'
import { beforeEach, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { run } from '../run.ts'

let cwd = ''

beforeEach(() => {
  let time = 0
  const recorder = createRecorder({ now: () => time })
  const tap = recorder.tap('notes')
  const send = (direction: 'in' | 'out', message: object) =>
    tap.onMessage({ direction, message: { jsonrpc: '2.0', ...message }, at: 0, bytes: 10 })
  send('out', { id: 1, method: 'tools/call', params: { name: 'ask' } })
  time += 20
  send('in', { id: 9, method: 'elicitation/create', params: {} })
  time += 970
  const details = { question: 'q', kind: 'elicitation', how: 'accept', by: 'the user' }
  tap.add({ kind: 'decision', text: 'accepted', details })
  send('out', { id: 9, result: { action: 'accept' } })
  time += 10
  send('in', { id: 1, result: { content: [] } })
  cwd = folderWith({ 't.jsonl': writeTrace(recorder.page(0, 100)) })
})

test('view --path shows what the time of a request was spent on', async () => {
  const { code, stdout, stderr } = await run(['trace', 'view', 't.jsonl', '--path', '1'], { cwd })

  expect(code).toBe(0)
  expect(stdout).toMatch(/20 ms\s+2 %\s+server/)
  expect(stdout).toMatch(/970 ms\s+97 %\s+person\s+█+\s+elicitation\/create: a person answers/)
  expect(stderr).toContain('1.0 s in all')
})

test('view --path gives the segments as JSON', async () => {
  const { stdout } = await run(['trace', 'view', 't.jsonl', '--path', '1', '--json'], { cwd })

  expect(JSON.parse(stdout)).toMatchObject({
    durationMs: 1000,
    isOpen: false,
    segments: [{ who: 'server' }, { who: 'person', from: 20, to: 990 }, { who: 'server' }],
  })
})

test('view --path of something else says what to give', async () => {
  const { code, stderr } = await run(['trace', 'view', 't.jsonl', '--path', 'echo'], { cwd })

  expect(code).toBe(1)
  expect(stderr).toContain('the trace has no request echo')
})

test('stats say whom calls waited for', async () => {
  const { stdout } = await run(['trace', 'stats', 't.jsonl'], { cwd })
  const { stdout: json } = await run(['trace', 'stats', 't.jsonl', '--json'], { cwd })

  expect(stdout).toMatch(/Where the time of calls went/)
  expect(stdout).toMatch(/notes\s+tools\/call\s+1\.0 s\s+3 %\s+97 %/)
  expect(JSON.parse(json)).toMatchObject({ spent: [{ method: 'tools/call', durationMs: 1000 }] })
})
