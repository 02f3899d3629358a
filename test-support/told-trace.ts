import { createRecorder, writeTrace, type TraceRecord } from '@parley/foundation/trace'
import type { JsonValue } from '@parley/mcp'

/** A trace made by hand: a short call, idle time, and a call that a person kept waiting. */
export function toldRecords(): readonly TraceRecord[] {
  let time = 0
  const recorder = createRecorder({ now: () => time })
  const git = recorder.tap('git')
  const web = recorder.tap('web')
  const wait = (ms: number) => (time += ms)
  const send = (direction: 'in' | 'out', message: { [name: string]: JsonValue }, tap = git) =>
    tap.onMessage({ direction, message: { jsonrpc: '2.0', ...message }, at: time, bytes: 120 })
  const call = (id: number, name: string, tap = git) =>
    send('out', { id, method: 'tools/call', params: { name, _meta: { progressToken: id } } }, tap)
  const answer = (id: number, text: string, tap = git) =>
    send('in', { id, result: { content: [{ type: 'text', text }] } }, tap)

  call(1, 'status')
  wait(14)
  answer(1, 'clean')

  wait(12_400)
  call(2, 'commit')
  wait(40)
  const progressToken = 2
  send('in', { method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } })
  wait(22)
  const params = { message: 'Sign the commit?', requestedSchema: { type: 'object' } }
  send('in', { id: 'q1', method: 'elicitation/create', params })
  wait(8100)
  const decision = { question: 'q1', kind: 'elicitation', how: 'accept', by: 'the user' }
  git.add({ kind: 'decision', text: 'elicitation: accept, by the user', details: decision })
  wait(2)
  send('out', { id: 'q1', result: { action: 'accept', content: {} } })
  wait(120)
  answer(2, 'done')

  wait(3000)
  const { seq } = call(7, 'fetch', web)
  wait(1)
  const http = { kind: 'http', stream: 'http-1', text: 'POST https://example.com/mcp' } as const
  const post = web.add({ ...http, direction: 'out', parent: seq })
  wait(41)
  const headers = { 'content-type': 'application/json' }
  const details = { status: 200, headers }
  web.add({ ...http, direction: 'in', parent: post.seq, text: '200 OK', details })
  wait(9)
  answer(7, 'page', web)
  return recorder.page(0, 1000)
}

/** The same as a file. */
export function toldTrace(): string {
  return writeTrace(toldRecords())
}
