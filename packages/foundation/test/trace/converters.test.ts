import { expect, test } from 'vitest'

import { toOtlp, toTestSource } from '../../src/trace/index.ts'
import { answer, call, record } from './made.ts'

function conversation() {
  const trace = record()
  trace.tap.setRevision('2025-06-18')
  trace.out(call(1, 'search', { text: 'tea' }))
  trace.tap.add({
    kind: 'http',
    direction: 'out',
    stream: 'http-1',
    details: {
      method: 'POST',
      url: 'https://notes.example/mcp',
      headers: { authorization: 'Bearer abcdefgh' },
    },
  })
  trace.wait(5)
  trace.in({
    jsonrpc: '2.0',
    id: 9,
    method: 'elicitation/create',
    params: { message: 'Which tea?' },
  })
  trace.wait(20)
  trace.out({ jsonrpc: '2.0', id: 9, result: { action: 'decline' } })
  trace.tap.add({
    kind: 'http',
    direction: 'in',
    stream: 'http-1',
    details: { status: 202, headers: { 'content-type': 'application/json' } },
  })
  trace.in(answer(1, 'found `it`'))
  trace.out(call(2, 'broken'))
  trace.in({ jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'unknown tool: broken' } })
  return trace.all()
}

test('a test makes the same requests and expects the same answers', () => {
  const source = toTestSource(conversation(), { target: "'https://notes.example/mcp'" })

  expect(source).toContain(
    'client.request("tools/call", {"name":"search","arguments":{"text":"tea"}})',
  )
  expect(source).toContain('toMatchObject({"content":[{"type":"text","text":"found `it`"}]})')
  expect(source).toContain('.rejects.toThrow("unknown tool: broken")')
  expect(source).not.toContain('elicitation/create')
})

test('what is said in a trace cannot leave its text in a test', () => {
  const trace = record()
  trace.out(call(1, '"); process.exit(1); ("'))
  trace.in(answer(1, '\u2028</script>'))

  const source = toTestSource(trace.all())

  expect(source).not.toContain('\u2028')
  expect(source).not.toContain('</script>')
  expect(source).toContain('\\"); process.exit(1); (\\"')
})

test('spans have their parents, their times and what failed', () => {
  const { resourceSpans } = JSON.parse(toOtlp(conversation())) as {
    resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[]
  }
  const [search, question, broken] = resourceSpans[0]?.scopeSpans[0]?.spans ?? []

  expect(search).toMatchObject({ name: 'tools/call search', kind: 3, status: { code: 1 } })
  expect(question).toMatchObject({
    name: 'elicitation/create',
    kind: 2,
    parentSpanId: search?.['spanId'],
    traceId: search?.['traceId'],
  })
  expect(broken).toMatchObject({ status: { code: 2, message: 'unknown tool: broken' } })
  expect(search?.['traceId']).toMatch(/^[0-9a-f]{32}$/)
  expect(search?.['spanId']).toMatch(/^[0-9a-f]{16}$/)
})
