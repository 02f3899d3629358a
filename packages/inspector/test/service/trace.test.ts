import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { readTrace } from '@parley/foundation/trace'
import { createRowTable, readEntry, statusOf } from '@parley/page/trace/rows'
import { describe, expect, onTestFinished, test } from 'vitest'

import { foreignCommand, serveEverything } from './everything.ts'
import { openPage, type PageClient } from './page-client.ts'
import { troubledEntry } from './troubled-server.ts'

async function openWithCalls() {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/connect', { name: 'all' })
  const outcome = await echo(page, 'r1', { message: "it's me", password: 'hunter2!' })
  return { page, seq: outcome.seq ?? 0, entry: everything.entry as { url: string } }
}

const hasCurl = spawnSync('curl', ['--version']).status === 0

async function shell(text: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', text])).stdout
}

function echo(page: PageClient, run: string, args: { [name: string]: string }) {
  return page.ask('runs/start', {
    server: 'all',
    run,
    method: 'tools/call',
    params: { name: 'echo', arguments: args },
  })
}

function callRegion(page: PageClient, run: string) {
  const params = { name: 'echo-region', arguments: { region: 'Zürich' } }
  return page.ask('runs/start', { server: 'all', run, method: 'tools/call', params })
}

test('records come in batches and by pages, without secrets', async () => {
  const { page, seq } = await openWithCalls()

  const { records } = await page.next('trace/records', (data) =>
    data.records.some((one) => one.seq === seq),
  )
  const paged = await page.ask('trace/page', { after: seq - 1, limit: 1 })

  expect(records.length).toBeGreaterThan(0)
  expect(paged.records[0]).toMatchObject({ seq, connection: 'all', direction: 'out' })
  expect(JSON.stringify(paged)).not.toContain('hunter2')
  expect(paged.last).toBeGreaterThanOrEqual(seq)
})

test('no request waits for ever: it is answered, lost, timed out, cancelled or a probe', async () => {
  // A command of its own: what was found out about others is remembered, and not probed again.
  const unknown = { ...troubledEntry, args: [...troubledEntry.args, '--unknown-yet'] }
  await using page = await openPage({ servers: [{ name: 'a', entry: unknown }] })
  await page.ask('servers/connect', { name: 'a' })
  const call = (run: string, name: string, timeoutMs?: number) => {
    const params = { name, arguments: { value: `call ${run}` } }
    return page.ask('runs/start', { server: 'a', run, method: 'tools/call', params, timeoutMs })
  }
  await call('1', 'wait', 50)
  const unwanted = call('2', 'wait')
  await page.next('trace/records', (data) => JSON.stringify(data).includes('call 2'))
  await page.ask('runs/cancel', { run: '2' })
  await unwanted
  await Promise.all([call('3', 'wait'), call('4', 'die')])
  await page.next('trace/records', ({ records }) => records.some(({ text }) => text === 'closed'))

  const { records } = await page.ask('trace/page', { after: 0, limit: 1000 })
  const table = createRowTable()
  for (const record of records) table.add(readEntry(record))

  const requests = table.top.filter(({ entry }) => entry.role === 'request')
  expect(requests.map((row) => [row.entry.label, statusOf(row)])).toEqual([
    ['server/discover', 'probe'],
    ['initialize', 'ok'],
    ['tools/call', 'timed out'],
    ['tools/call', 'cancelled'],
    ['tools/call', 'lost'],
    ['tools/call', 'lost'],
  ])
})

test('clearing forgets what was recorded', async () => {
  const { page } = await openWithCalls()

  await page.ask('trace/clear', {})
  const { records, first, last } = await page.ask('trace/page', { after: 0, limit: 10 })

  expect(records).toEqual([])
  expect(first).toBe(last + 1)
})

describe('exports', () => {
  test.each(['jsonl', 'test'] as const)('as %s, without secrets', async (format) => {
    const { page } = await openWithCalls()

    const { name, text } = await page.ask('trace/export', { format })

    expect(name).toMatch(/^trace-.*\.(?:jsonl|test\.ts)$/)
    expect(text).toContain('echo')
    expect(text).not.toContain('hunter2')
  })

  test('of a part', async () => {
    const { page, seq } = await openWithCalls()

    const { text } = await page.ask('trace/export', { format: 'jsonl', from: seq, to: seq })

    expect(readTrace(text).records.map((one) => one.seq)).toEqual([seq])
  })
})

describe('sending again', () => {
  test('what the page saw masked is sent as it was', async () => {
    const { page } = await openWithCalls()
    const credential = 'Bearer abcdefghijkl'
    const { seq = 0 } = await echo(page, 'first', { message: credential })
    const { records } = await page.ask('trace/page', { after: seq - 1, limit: 1 })
    const message = records[0]?.message as { [name: string]: unknown }
    expect(JSON.stringify(message)).not.toContain('abcdefghijkl')

    const named = await page.ask('trace/resend', { server: 'all', run: 'named', message, seq })
    const unnamed = await page.ask('trace/resend', { server: 'all', run: 'unnamed', message })

    expect(named.result).toMatchObject({ content: [{ text: `Echo: ${credential}` }] })
    expect(unnamed.result).toMatchObject({ content: [{ text: `Echo: ${credential}` }] })
  })

  test.each([
    ['around what is masked', 'Bearer •••••• says GOODBYE', 'Bearer abcdefghijkl says GOODBYE'],
    ['before it', 'now Bearer •••••• says hello', 'now Bearer abcdefghijkl says hello'],
    ['and without what was masked', 'says nothing', 'says nothing'],
  ])('edited %s', async (_, edited, sent) => {
    const { page } = await openWithCalls()
    const { seq = 0 } = await echo(page, 'first', { message: 'Bearer abcdefghijkl says hello' })

    const outcome = await page.ask('trace/resend', {
      server: 'all',
      run: 'edited',
      message: {
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: edited } },
      },
      seq,
    })

    expect(outcome.result).toMatchObject({ content: [{ text: `Echo: ${sent}` }] })
  })

  test('not where nobody knows what a mask stands for', async () => {
    const { page } = await openWithCalls()
    const { seq = 0 } = await echo(page, 'first', { message: 'Bearer abcdefghijkl' })

    const sent = page.ask('trace/resend', {
      server: 'all',
      run: 'edited',
      message: {
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: '•••••• and ••••••' } },
      },
      seq,
    })

    await expect(sent).rejects.toThrow('masked_edited')
  })

  test('what was sent to one server is not filled in for another', async () => {
    const { page, entry } = await openWithCalls()
    await page.ask('servers/add', { name: 'other', entry })
    await page.ask('servers/connect', { name: 'other' })
    const { seq = 0 } = await echo(page, 'first', { message: 'Bearer abcdefghijkl' })
    const { records } = await page.ask('trace/page', { after: seq - 1, limit: 1 })
    const message = records[0]?.message as { [name: string]: unknown }

    const outcome = await page.ask('trace/resend', { server: 'other', run: 'x', message, seq })

    expect(outcome.result).toMatchObject({ content: [{ text: 'Echo: Bearer ••••••' }] })
  })

  test('edited', async () => {
    const { page } = await openWithCalls()

    const outcome = await page.ask('trace/resend', {
      server: 'all',
      run: 'edited',
      message: {
        jsonrpc: '2.0',
        id: 99,
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: 'new' } },
      },
    })

    expect(outcome.result).toMatchObject({ content: [{ text: 'Echo: new' }] })
  })

  test('only requests', async () => {
    const { page } = await openWithCalls()

    const sent = page.ask('trace/resend', { server: 'all', run: 'x', message: { result: {} } })

    await expect(sent).rejects.toThrow('not_a_request')
  })
})

describe('copies', () => {
  test('as a command line that a shell reads as it is', async () => {
    const { page, seq, entry } = await openWithCalls()

    const { text: curl } = await page.ask('trace/copy', { seq, as: 'curl' })
    const { text: cli } = await page.ask('trace/copy', { seq, as: 'cli' })

    expect(curl).toContain(`curl -sS --globoff ${entry.url}`)
    expect(curl).toContain(`it'\\''s me`)
    expect(cli).toBe(
      `npx @parley/cli call ${entry.url} echo 'message=it'\\''s me' 'password=••••••'`,
    )
  })

  describe.each(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'])('in %s', (era) => {
    test.skipIf(!hasCurl)(
      'as curl, which a server answers (needs curl: apt-get install curl)',
      async () => {
        const everything = await serveEverything()
        const page = await openPage({
          servers: [{ name: 'all', entry: everything.entry, settings: { era } }],
        })
        onTestFinished(async () => {
          await page[Symbol.asyncDispose]()
          await everything[Symbol.asyncDispose]()
        })
        await page.ask('servers/connect', { name: 'all' })
        const { seq = 0 } = await echo(page, 'r1', { message: "it's $HOME" })
        await callRegion(page, 'r2') // a client may learn from the first call what headers repeat
        const region = await callRegion(page, 'r3')
        const copies = await Promise.all(
          [seq, region.seq ?? 0].map((one) => page.ask('trace/copy', { seq: one, as: 'curl' })),
        )
        await page.ask('servers/disconnect', { name: 'all' }) // its session is over

        const answers = await Promise.all(copies.map(({ text }) => shell(text)))

        expect(answers[0]).toContain("Echo: it's $HOME")
        expect(answers[1]).toContain('Region: Zürich')
      },
    )
  })

  test('as curl, with a variable where a header is masked', async () => {
    const { page, entry } = await openWithCalls()
    const headers = { authorization: 'Bearer abcdefghijkl' }
    await page.ask('servers/add', { name: 'signed', entry: { ...entry, headers } })
    await page.ask('servers/connect', { name: 'signed' })
    const { seq = 0 } = await page.ask('runs/start', {
      server: 'signed',
      run: 'signed',
      method: 'tools/list',
      params: {},
    })

    const { text } = await page.ask('trace/copy', { seq, as: 'curl' })

    expect(text).toContain(`-H 'authorization: Bearer '"$AUTHORIZATION"`)
    expect(text).not.toContain('abcdefghijkl')
  })

  test('as curl only of what is sent over Streamable HTTP', async () => {
    const everything = await serveEverything('websocket')
    const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
    onTestFinished(async () => {
      await page[Symbol.asyncDispose]()
      await everything[Symbol.asyncDispose]()
    })
    await page.ask('servers/connect', { name: 'all' })
    const { seq = 0 } = await echo(page, 'r1', { message: 'x' })

    await expect(page.ask('trace/copy', { seq, as: 'curl' })).rejects.toThrow('not_http')
  })

  test('as code and as a test', async () => {
    const { page, seq } = await openWithCalls()

    const { text: code } = await page.ask('trace/copy', { seq, as: 'code' })
    const { text: source } = await page.ask('trace/copy', { seq, as: 'test' })

    expect(code).toContain(`client.callTool("echo", {"message":"it's me"`)
    expect(source).toContain(
      `toMatchObject({"resultType":"complete","content":[{"type":"text","text":"Echo: it's me"}]})`,
    )
  })

  test('of what is there', async () => {
    const { page } = await openWithCalls()

    await expect(page.ask('trace/copy', { seq: 99_999, as: 'json' })).rejects.toThrow(
      'unknown_record',
    )
  })
})

test('a recording is a trace file without secrets [OBS-08, LOG-23]', async () => {
  const record = join(tmpdir(), `record-${crypto.randomUUID()}.jsonl`)
  const entry = {
    ...foreignCommand,
    args: [...foreignCommand.args, '--token=t-1234567890', '--api-key', 'a-1234567890'],
    env: { API_KEY: 'k-1234567890' },
  }
  const page = await openPage({ record, servers: [{ name: 'a', entry }] })
  await page.ask('servers/connect', { name: 'a' })
  const outcome = await page.ask('runs/start', {
    server: 'a',
    run: 'x',
    method: 'tools/call',
    params: { name: 'environment', arguments: {} },
  })
  await page[Symbol.asyncDispose]()

  const text = await readFile(record, 'utf8')

  expect(JSON.stringify(outcome)).toContain('the key is')
  expect(text).toContain('the key is ••••••')
  expect(text).toContain('--token=••••••')
  expect(text).not.toContain('1234567890')
  expect(readTrace(text).problems).toEqual([])
})
