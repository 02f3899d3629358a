import { describe, expect, test } from 'vitest'

import { toHar, toMarkdown, toOtlp, toTestSource } from '../../src/trace/index.ts'
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

test('an HTTP archive has an entry for each request, without secrets', () => {
  const { log } = JSON.parse(toHar(conversation())) as {
    log: {
      version: string
      entries: { time: number; request: { url: string }; response: { status: number } }[]
    }
  }

  expect(log.version).toBe('1.2')
  expect(log.entries).toHaveLength(3)
  expect(log.entries[0]).toMatchObject({
    time: 25,
    request: { method: 'POST', url: 'https://notes.example/mcp' },
    response: { status: 202 },
  })
  expect(JSON.stringify(log)).not.toContain('abcdefgh')
})

test('requests that were under way together keep their own HTTP', () => {
  const trace = record()
  const posts = [1, 2].map((id) => {
    const { seq } = trace.out(call(id, `tool-${id}`))
    return { id, seq }
  })
  const sent = posts.toReversed().map(({ id, seq }) => ({
    id,
    post: trace.tap.add({
      kind: 'http',
      direction: 'out',
      parent: seq,
      details: { url: `https://x.example/${id}` },
    }),
  }))
  for (const { id, post } of sent) {
    trace.tap.add({
      kind: 'http',
      direction: 'in',
      parent: post.seq,
      details: { status: 200 + id },
    })
    trace.in(answer(id, 'done'))
  }

  const { log } = JSON.parse(toHar(trace.all())) as {
    log: { entries: { request: { url: string }; response: { status: number } }[] }
  }

  expect(log.entries.map(({ request, response }) => [request.url, response.status])).toEqual([
    ['https://x.example/1', 201],
    ['https://x.example/2', 202],
  ])
})

describe('a report', () => {
  test('has figures first and every request', () => {
    const text = toMarkdown(conversation())

    expect(text).toContain('| git | tools/call | 2 | 1 | 0 |')
    expect(text).toContain('### 1. tools/call search')
    expect(text).toContain('git asked')
  })

  test('cannot be broken by what a server says', () => {
    const trace = record()
    trace.out(call(1, 'x\n# not a heading <script>'))
    trace.in(answer(1, '```\n# neither'))

    const text = toMarkdown(trace.all())

    expect(text).not.toMatch(/^# (?!Trace)/m)
    expect(text).toContain('\\<script\\>')
    expect(text).toContain('````json')
  })
})

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
