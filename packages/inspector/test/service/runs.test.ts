import { describe, expect, onTestFinished, test } from 'vitest'

import { everythingCommand, foreignCommand, serveEverything } from './everything.ts'
import { AskError, openPage } from './page-client.ts'

async function openEverything(settings = {}) {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/settings', { name: 'all', settings })
  await page.ask('servers/connect', { name: 'all' })
  return page
}

const call = (name: string, args = {}) => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('in %s', (era) => {
  test('progress is told while a call runs [OBS-01]', async () => {
    const page = await openEverything({ era })

    const outcome = await page.ask('runs/start', {
      server: 'all',
      run: 'long',
      ...call('trigger-long-running-operation', { duration: 0.2, steps: 2 }),
    })

    const told = page.events
      .filter(({ event }) => event === 'runs/progress')
      .map(({ data }) => data)
    expect(told).toContainEqual(expect.objectContaining({ run: 'long', progress: 1, total: 2 }))
    expect(outcome.error).toBeUndefined()
  })

  test('a cancelled run ends at once, and the server is told [OBS-02, TUI-14, HDEC-02]', async () => {
    const page = await openEverything({ era })
    const running = page.ask('runs/start', {
      server: 'all',
      run: 'long',
      ...call('trigger-long-running-operation', { duration: 30, steps: 100 }),
    })
    await page.next('runs/progress')

    await page.ask('runs/cancel', { run: 'long' })
    const outcome = await running

    expect(outcome.error?.code).toBe('cancelled')
  })

  test('errors are shown as they came [INSP-09]', async () => {
    const page = await openEverything({ era })

    const unknown = await page.ask('runs/start', {
      server: 'all',
      run: 'a',
      ...call('no-such-tool'),
    })
    const invented = await page.ask('runs/start', {
      server: 'all',
      run: 'b',
      method: 'no/such',
      params: {},
    })
    const wrong = await page.ask('runs/start', {
      server: 'all',
      run: 'c',
      ...call('get-sum', { a: 'x' }),
    })

    expect(unknown.error).toMatchObject({ code: 'invalid_params', wireCode: -32602 })
    expect(invented.error).toMatchObject({ code: 'method_not_found', wireCode: -32601 })
    expect(wrong.error?.code ?? wrong.result?.['isError']).toBe(
      wrong.error ? 'invalid_params' : true,
    )
  })
})

test('deliberately bad params reach the server [INSP-09]', async () => {
  const page = await openEverything()

  const outcome = await page.ask('runs/start', {
    server: 'all',
    run: 'bad',
    method: 'tools/call',
    params: { name: 'echo', arguments: 'not an object' },
  })
  const record = (await page.ask('trace/page', { after: (outcome.seq ?? 1) - 1, limit: 1 }))
    .records[0]

  expect(record?.message).toMatchObject({ params: { arguments: 'not an object' } })
  expect(outcome.error?.code).toBe('invalid_params')
})

test('lists can be paged by hand', async () => {
  await using page = await openPage({
    servers: [
      {
        name: 'all',
        entry: {
          ...everythingCommand,
          args: [...everythingCommand.args, '--numbered', '7', '--page-size', '5'],
        },
      },
    ],
  })
  await page.ask('servers/connect', { name: 'all' })

  const first = await page.ask('runs/start', {
    server: 'all',
    run: 'p1',
    method: 'resources/list',
    params: {},
  })
  const cursor = first.result?.['nextCursor']
  const second = await page.ask('runs/start', {
    server: 'all',
    run: 'p2',
    method: 'resources/list',
    params: { cursor },
  })
  const all = await page.ask('lists/all', { server: 'all', kind: 'resources' })

  expect(first.result?.['resources']).toHaveLength(5)
  expect(second.result?.['resources']).toBeDefined()
  expect(all.pages).toBeGreaterThan(1)
  expect(all.items.length).toBeGreaterThan(7)
})

test('a result that breaks its own schema says where [TUI-12]', async () => {
  await using page = await openPage({ servers: [{ name: 'liar', entry: foreignCommand }] })
  await page.ask('servers/connect', { name: 'liar' })

  const outcome = await page.ask('runs/start', { server: 'liar', run: 'x', ...call('count') })

  expect(outcome.result).toMatchObject({ structuredContent: { n: 'three' } })
  expect(outcome.outputIssues).toMatchObject([{ path: '/n' }])
})

test('an answer that comes after the user gave up is told as late', async () => {
  await using page = await openPage({ servers: [{ name: 'slow', entry: foreignCommand }] })
  await page.ask('servers/connect', { name: 'slow' })
  const running = page.ask('runs/start', { server: 'slow', run: 'r', ...call('late') })
  await page.next('trace/records', ({ records }) => JSON.stringify(records).includes('"late"'))

  await page.ask('runs/cancel', { run: 'r' })
  const outcome = await running
  const late = await page.next('runs/late')

  expect(outcome.error?.code).toBe('cancelled')
  expect(late).toMatchObject({ run: 'r', late: true, seq: outcome.seq })
  expect(JSON.stringify(late.result)).toContain('too late')
})

test('a run needs a name of its own and a connected server', async () => {
  const page = await openEverything()
  const slow = page.ask('runs/start', {
    server: 'all',
    run: 'same',
    ...call('trigger-long-running-operation', { duration: 0.3, steps: 3 }),
  })
  await page.next('runs/progress')

  const again = page.ask('runs/start', { server: 'all', run: 'same', ...call('echo') })
  const nowhere = page.ask('runs/start', { server: 'nobody', run: 'x', ...call('echo') })

  await expect(again).rejects.toThrow('duplicate_run')
  await expect(nowhere).rejects.toThrow(AskError)
  await slow
})

test('a run ends when its time is over', async () => {
  const page = await openEverything()

  const outcome = await page.ask('runs/start', {
    server: 'all',
    run: 'long',
    timeoutMs: 100,
    ...call('trigger-long-running-operation', { duration: 30, steps: 1 }),
  })

  expect(outcome.error?.code).toBe('timeout')
})

test('completion, prompts and reading are runs like any other', async () => {
  const page = await openEverything()
  const start = (run: string, method: string, params: object) =>
    page.ask('runs/start', { server: 'all', run, method, params: { ...params } })

  const read = await start('1', 'resources/read', { uri: 'demo://resource/dynamic/text/1' })
  const prompt = await start('2', 'prompts/get', { name: 'simple-prompt' })
  const completed = await start('3', 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'completable-prompt' },
    argument: { name: 'department', value: 'E' },
  })

  expect(read.result).toHaveProperty('contents')
  expect(prompt.result).toHaveProperty('messages')
  expect(completed.result).toMatchObject({ completion: { values: ['Engineering'] } })
})
