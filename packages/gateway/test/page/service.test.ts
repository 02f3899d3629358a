import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { readAuditLog } from '@parley/foundation/audit'
import { expect, test, vi } from 'vitest'

import { insidesOf } from '../../src/gateway/insides.ts'
import { open } from '../gateway/running.ts'
import { textOf } from '../running.ts'
import { notes, openClient, startPage, type RunningPage } from './running-page.ts'

const plain = 'servers:\n  notes: { url: UPSTREAM }\n'

async function operations({ folder, config }: RunningPage): Promise<readonly unknown[]> {
  await config().audit?.flush()
  const found: unknown[] = []
  for await (const { record } of readAuditLog(join(folder, 'audit.jsonl'))) {
    if (record['type'] === 'operation') found.push([record['action'], record['outcome']])
  }
  return found
}

test('requests are counted and recorded only while a page is open', async () => {
  await using running = await startPage(plain)
  const { whole: core } = insidesOf(running.gateway).cores
  await using client = await open(running.gateway)
  await client.callTool('notes__read')
  expect(core.observer).toBeUndefined()

  const page = await openClient(running)
  await client.callTool('notes__read')
  const seen = await page.ask('trace/page', { after: 0, limit: 100 })
  const { overview } = await page.ask('state/get', {})
  await page[Symbol.asyncDispose]()

  expect(seen.records).toHaveLength(4)
  expect(overview.gateway).toMatchObject({ calls: 1, errors: 0, inFlight: 0 })
  await vi.waitFor(() => expect(core.observer).toBeUndefined())
})

test('the file may say that requests are always recorded', async () => {
  await using running = await startPage(plain, { settings: { isRecording: true } })
  await using client = await open(running.gateway)
  await client.callTool('notes__read')

  await using page = await openClient(running)

  const { records } = await page.ask('trace/page', { after: 0, limit: 100 })
  expect(records.length).toBeGreaterThanOrEqual(4)
})

test('a call is one trace over both hops, with secrets masked', async () => {
  await using running = await startPage(plain)
  await using client = await open(running.gateway)
  await using page = await openClient(running)

  await client.callTool('notes__write', { path: '/a', password: 'hunter2' })

  const { records } = await page.ask('trace/page', { after: 0, limit: 100 })
  const [inbound, outbound, answered, told] = records
  expect(records).toHaveLength(4)
  expect(inbound).toMatchObject({ message: { params: { name: 'notes__write' } } })
  expect(outbound).toMatchObject({
    connection: 'notes',
    parent: inbound?.seq,
    message: { method: 'tools/call', params: { name: 'write', arguments: { path: '/a' } } },
  })
  expect(answered).toMatchObject({ connection: 'notes', parent: outbound?.seq })
  expect(told).toMatchObject({ parent: inbound?.seq })
  expect(told?.message).toHaveProperty('result')
  expect(JSON.stringify(records)).not.toContain('hunter2')
  const { records: live } = await page.next('trace/records')
  expect(live[0]).toEqual(inbound)
})

test('what is recorded is bounded in bytes, the oldest go', async () => {
  await using running = await startPage(plain, { settings: { recordBytes: 20_000 } })
  await using client = await open(running.gateway)
  await using page = await openClient(running)

  for (let count = 0; count < 20; count += 1) {
    await client.callTool('notes__write', { path: 'x'.repeat(2_000) })
  }

  const { records, first, last } = await page.ask('trace/page', { after: 0, limit: 1_000 })
  expect(last).toBe(80)
  expect(first).toBeGreaterThan(40)
  expect(JSON.stringify(records).length).toBeLessThan(40_000)
})

test('the overview has callers, servers with figures, sessions and a history', async () => {
  const server = notes()
  await using running = await startPage(plain, { server })
  await using client = await open(running.gateway, { protocolVersion: 'legacy' })
  await using page = await openClient(running)
  await client.callTool('notes__read')
  await client.callTool('notes__fail')
  const waiting = client.callTool('notes__wait')

  const overview = await page.next(
    'overview',
    (now) => now.gateway.inFlight === 1 && now.gateway.calls === 2,
  )
  server.release()
  await waiting

  expect(overview.callers).toMatchObject([{ name: 'anonymous', metrics: { calls: 2, errors: 1 } }])
  expect(overview.servers).toMatchObject([
    {
      name: 'notes',
      state: { state: 'ready' },
      kind: 'url',
      counts: { tools: 4 },
      metrics: { calls: 2, errors: 1, inFlight: 1 },
    },
  ])
  expect(overview.servers[0]?.metrics.p99).toBeGreaterThan(0)
  expect(overview.sessions).toMatchObject([
    { caller: 'anonymous', era: 'legacy', transport: 'http', inFlight: 1, upstreams: ['notes'] },
  ])
  expect(overview.history.calls.reduce((sum, each) => sum + each, 0)).toBe(2)
  expect([overview.history.stepSeconds, overview.history.calls.length]).toEqual([15, 60])
  expect(overview.history.p99.at(-1)).toEqual(expect.any(Number))
  const day = await page.ask('traffic/history', { span: 'day' })
  expect(day).toMatchObject({ stepSeconds: 1_200, calls: { length: 72 } })
  const sum = (list: readonly number[]) => list.reduce((total, each) => total + each, 0)
  expect([sum(day.calls), sum(day.errors)]).toEqual([3, 1])
  const offers = await page.ask('servers/offers', { name: 'notes' })
  const callsOf = (name: string) => offers.find((offer) => offer.name === name)?.calls
  expect(callsOf('fail')).toMatchObject({ count: 1, errors: 1 })
  expect(callsOf('read')).toMatchObject({ count: 1, errors: 0 })
  expect(callsOf('write')).toBeUndefined()
})

test('a server that cannot be reached is shown with its cause and the next attempt', async () => {
  await using running = await startPage(
    'servers:\n  gone: { url: "http://127.0.0.1:1/mcp", startTimeout: 5s }\n  notes: { url: UPSTREAM }\n',
  )
  await using page = await openClient(running)

  const { servers } = await page.next(
    'overview',
    ({ servers: [gone] }) => 'cause' in (gone?.state ?? {}),
  )

  expect(servers[0]?.state).toMatchObject({ state: 'backing-off', nextAt: expect.any(Number) })
  expect(servers[1]?.state.state).toBe('ready')
})

test('a server is stopped, stays stopped after a reload, and is started; each is in the audit', async () => {
  const text = `${plain}audit: audit.jsonl\n`
  await using running = await startPage(text)
  await using client = await open(running.gateway)
  await using page = await openClient(running)

  await page.ask('servers/act', { name: 'notes', action: 'stop' })
  const rejected = await client.callTool('notes__read')
  running.write(`${text}naming: manual\n`)
  await page.ask('config/apply', {})
  const { overview } = await page.ask('state/get', {})
  await page.ask('servers/act', { name: 'notes', action: 'start' })
  await page.next('overview', ({ servers: [only] }) => only?.state.state === 'ready')

  expect(textOf(rejected)).toContain('the server "notes" is switched off')
  expect(overview.servers[0]?.state.state).toBe('disabled')
  expect(textOf(await client.callTool('read'))).toBe('some notes')
  expect(await operations(running)).toEqual([
    ['servers/stop', 'done'],
    ['config/apply', 'done'],
    ['servers/start', 'done'],
  ])
  expect(running.told).toContain('page: servers/stop notes')
})

test('draining lets the calls of a server finish', async () => {
  const server = notes()
  await using running = await startPage(plain, { server })
  await using client = await open(running.gateway)
  await using page = await openClient(running)
  const waiting = client.callTool('notes__wait')
  await page.next('overview', ({ servers: [only] }) => only?.metrics.inFlight === 1)

  await page.ask('servers/act', { name: 'notes', action: 'drain' })
  const rejected = await client.callTool('notes__read')
  server.release()

  expect(textOf(rejected)).toContain('switched off')
  expect(textOf(await waiting)).toBe('waited')
})

test('children are shown with their process, and what they write to standard error', async () => {
  const child = `process.stderr.write('hello from the child\\n'); process.stdin.resume()`
  const args = JSON.stringify(['-e', child, '--', '--token', 'hunter2'])
  await using running = await startPage(
    `servers:\n  child: { command: ${JSON.stringify(process.execPath)}, args: ${args}, startTimeout: 40s }\n  notes: { url: UPSTREAM }\n`,
    { isStarted: false },
  )
  await using page = await openClient(running)

  const { servers } = await page.next(
    'overview',
    ({ servers: [only] }) => (only?.children.length ?? 0) > 0,
  )
  const [view] = servers
  const pid = view?.children[0]?.pid ?? 0

  expect(view?.where).toContain('--token')
  expect(view?.where).not.toContain('hunter2')
  expect(view?.started).toBeGreaterThanOrEqual(1)
  await vi.waitFor(async () =>
    expect(await page.ask('children/stderr', { name: 'child', pid })).toEqual({
      text: expect.stringContaining('hello from the child'),
    }),
  )
})

test('a session is closed, and its client is told that there is none', async () => {
  await using running = await startPage(`${plain}audit: audit.jsonl\n`)
  const send = (message: object, session?: string): Promise<Response> =>
    fetch(running.gateway.url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const clientInfo = { name: 'by hand', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const opened = await send({ id: 1, method: 'initialize', params })
  const session = opened.headers.get('mcp-session-id') ?? ''
  await send({ method: 'notifications/initialized' }, session)
  await using page = await openClient(running)
  const { overview } = await page.ask('state/get', {})
  const [view] = overview.sessions
  const before = await send({ id: 2, method: 'ping' }, session)

  await page.ask('sessions/close', { id: view?.id ?? 0 })

  const after = await send({ id: 3, method: 'ping' }, session)
  const { overview: later } = await page.ask('state/get', {})
  expect(view).toMatchObject({ client: 'by hand 1', revision: '2025-06-18', canClose: true })
  expect([before.status, after.status]).toEqual([200, 404])
  expect(later.sessionCount).toBe(0)
  await expect(page.ask('sessions/close', { id: view?.id ?? 0 })).rejects.toThrow('unknown_session')
  expect(await operations(running)).toEqual([['sessions/close', 'done']])
})

test('the policy is explained rule by rule, as the command does it', async () => {
  await using running = await startPage(
    `${plain}policy:\n  - mcp.tool.annotations.readOnlyHint\n  - { name: only srv, when: 'args.path.startsWith("/srv/")' }\n`,
  )
  await using page = await openClient(running)
  const asked = { upstream: 'notes', kind: 'tool', claims: {}, scopes: [] } as const

  const read = await page.ask('policy/explain', { ...asked, name: 'read', arguments: {} })
  const write = await page.ask('policy/explain', {
    ...asked,
    name: 'notes__write',
    arguments: { path: '/etc' },
  })

  expect(read).toMatchObject({ call: { decision: 'allow', rule: 'rule 1' }, isListed: true })
  expect(read.rules.map(({ rule }) => rule)).toEqual(['rule 1', 'only srv'])
  expect(write).toMatchObject({ call: { decision: 'deny' }, list: { decision: 'allow' } })
  expect(write.call.trace.map(({ rule, result }) => [rule, result])).toEqual([
    ['rule 1', 'false'],
    ['only srv', 'false'],
  ])
})

test('keys are made, shown once and revoked; no key is in the list or in the audit', async () => {
  await using running = await startPage(`${plain}auth: { keys: keys.json }\naudit: audit.jsonl\n`)
  await using page = await openClient(running)

  const { key, stored } = await page.ask('keys/create', { name: 'ada', scopes: ['tools:read'] })
  const headers = { authorization: `Bearer ${key}` }
  await using client = await open(running.gateway, { headers })
  await client.callTool('notes__read')
  await page.ask('keys/revoke', { id: stored.id })
  const listed = await page.ask('keys/list', {})

  expect(listed).toMatchObject([{ id: stored.id, name: 'ada', state: 'revoked' }])
  expect(JSON.stringify(listed)).not.toContain('hash')
  expect(JSON.stringify(listed)).not.toContain(key)
  expect(await operations(running)).toEqual([
    ['keys/create', 'done'],
    ['keys/revoke', 'done'],
  ])
  expect(readFileSync(join(running.folder, 'audit.jsonl'), 'utf8')).not.toContain(key)
  await expect(client.callTool('notes__read')).rejects.toThrow()
})

test('the audit is filtered and verified, and a changed line is noticed', async () => {
  await using running = await startPage(
    `${plain}audit: audit.jsonl\npolicy: [ 'mcp.tool.name != "fail"' ]\n`,
  )
  await using client = await open(running.gateway)
  await using page = await openClient(running)
  await client.callTool('notes__read')
  await client.callTool('notes__fail')
  await running.config().audit?.flush()

  const rejected = await page.ask('audit/page', { outcome: 'refused' })
  const found = await page.ask('audit/page', { text: 'NOTES__READ' })
  const before = await page.ask('audit/verify', {})
  const path = join(running.folder, 'audit.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"notes__read"', '"notes__wipe"'))
  const after = await page.ask('audit/verify', {})

  expect(rejected.entries.map(({ record }) => record['name'])).toEqual(['fail'])
  expect(found.entries.map(({ record }) => record['name'])).toEqual(['read'])
  expect(before.isIntact).toBe(true)
  expect(after.isIntact).toBe(false)
})

test('the file is shown without secrets, with its problems and what a reload would change', async () => {
  const text = `servers:\n  notes: { url: UPSTREAM, headers: { Authorization: "Bearer hunter2", X-Api-Key: "\${KEY:-none}" } }\n`
  await using running = await startPage(text)
  await using page = await openClient(running)

  const shown = await page.ask('config/get', {})
  running.write(`${text}  more: { url: UPSTREAM, mode: all }\n`)
  const wrong = await page.ask('config/preview', {})
  running.write(`${text.replace('hunter2', 'hunter3')}  more: { url: UPSTREAM }\n`)
  const preview = await page.ask('config/preview', {})
  const applied = await page.ask('config/apply', {})

  expect(shown.text).toContain('notes: { url:')
  expect(shown.text).not.toContain('hunter2')
  expect(shown.text).toContain('${KEY:-none}')
  expect(wrong.problems).toMatchObject([{ level: 'error', line: 3, fix: expect.any(String) }])
  expect(preview).toMatchObject({ problems: [], servers: { added: ['more'], changed: ['notes'] } })
  expect(preview.differences.map(({ path }) => path)).toEqual([
    'servers.notes.headers.Authorization',
    'servers.more',
  ])
  expect(JSON.stringify(preview)).not.toContain('hunter')
  expect(applied).toMatchObject({ added: ['more'], changed: ['notes'] })
})

test('a file with errors is not applied, and the audit says so', async () => {
  await using running = await startPage(`${plain}audit: audit.jsonl\n`)
  await using page = await openClient(running)
  running.write('servers:\n  notes: { comand: x }\n')

  await expect(page.ask('config/apply', {})).rejects.toThrow('1 errors in the configuration')

  expect(await operations(running)).toEqual([['config/apply', 'failed']])
})

test('nothing is changed that a required audit cannot write down', async () => {
  await using running = await startPage(
    `${plain}audit: { file: gateway.yaml/audit.jsonl, required: true }\n`,
  )
  await using page = await openClient(running)

  const stopped = page.ask('servers/act', { name: 'notes', action: 'stop' })

  await expect(stopped).rejects.toThrow('audit_required')
  const { overview } = await page.ask('state/get', {})
  expect(overview.servers[0]?.state.state).toBe('ready')
})

test('what is not there, or not meant so, is refused in words', async () => {
  await using running = await startPage(plain)
  await using page = await openClient(running)

  await expect(page.ask('servers/act', { name: 'nobody', action: 'stop' })).rejects.toThrow(
    'unknown_server',
  )
  await expect(
    page.ask('servers/act', { name: 'notes', action: 'wipe' as 'stop' }),
  ).rejects.toThrow(
    'invalid_params: servers/act: action: expected one of restart, stop, drain, start',
  )
  await expect(page.ask('servers/add' as 'state/get', {})).rejects.toThrow('unknown_method')
  await expect(page.ask('toString' as 'state/get', {})).rejects.toThrow('unknown_method')
  await expect(page.ask('keys/list', {})).rejects.toThrow(
    'not_configured: This gateway has no API keys',
  )
  await expect(page.ask('quarantine/list', {})).rejects.toThrow('not_configured')
  await expect(page.ask('audit/verify', {})).rejects.toThrow('not_configured')
})
