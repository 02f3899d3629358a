import { describe, expect, test } from 'vitest'

import { serveEverything, type Route } from './everything.ts'
import { openPage } from './page-client.ts'

const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const routes: readonly Route[] = ['stdio', 'http', 'sse', 'websocket']
const cases = routes.flatMap((route) =>
  revisions
    .filter((revision) => route !== 'sse' || revision < '2026-07-28')
    .map((revision) => [route, revision] as const),
)

describe.each(cases)('over %s, in %s', (route, era) => {
  test('connects, lists, calls, is asked, hears of changes and records it all [INSP-03..08]', async () => {
    await using everything = await serveEverything(route)
    await using page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
    await page.ask('servers/settings', { name: 'all', settings: { era } })

    const view = await page.ask('servers/connect', { name: 'all' })
    expect(view).toMatchObject({ state: 'ready', session: { revision: era, transport: route } })
    expect(view.session?.why).toContain('pinned')
    expect(view.session?.server.capabilities).toHaveProperty('tools')

    const tools = await page.ask('lists/all', { server: 'all', kind: 'tools' })
    expect(tools.items.map(({ name }) => name)).toContain('echo')
    const prompts = await page.ask('lists/all', { server: 'all', kind: 'prompts' })
    expect(prompts.items.length).toBeGreaterThan(0)
    const templates = await page.ask('lists/all', { server: 'all', kind: 'templates' })
    expect(templates.items.length).toBeGreaterThan(0)

    const echoed = await page.ask('runs/start', {
      server: 'all',
      run: 'echo',
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'hello' } },
    })
    expect(echoed.result).toMatchObject({ content: [{ type: 'text', text: 'Echo: hello' }] })
    expect(echoed.seq).toBeGreaterThan(0)

    const running = page.ask('runs/start', {
      server: 'all',
      run: 'sample',
      method: 'tools/call',
      params: { name: 'trigger-sampling-request', arguments: { prompt: 'Why?' } },
    })
    const { questions } = await page.next('questions/changed', (data) =>
      data.questions.some(({ state }) => state === 'open'),
    )
    expect(questions[0]).toMatchObject({ server: 'all', kind: 'sampling' })
    const content = { type: 'text', text: 'Forty-two.' }
    await page.ask('questions/answer', {
      id: questions[0]?.id ?? '',
      answer: { action: 'reply', result: { role: 'assistant', content, model: 'me' } },
    })
    expect(JSON.stringify((await running).result)).toContain('Forty-two.')

    const uri = 'demo://resource/dynamic/text/1'
    await page.ask('resources/subscribe', { server: 'all', uri })
    await page.ask('runs/start', {
      server: 'all',
      run: 'updates',
      method: 'tools/call',
      params: { name: 'toggle-subscriber-updates', arguments: {} },
    })
    if (route !== 'stdio') {
      expect(await page.next('resources/updated')).toEqual({ server: 'all', uri })
    }
    await page.ask('resources/unsubscribe', { server: 'all', uri })

    expect((await page.ask('ping', { server: 'all' })).ms).toBeGreaterThan(0)

    const { records } = await page.ask('trace/page', { after: 0, limit: 1000 })
    const request = records.find(({ seq }) => seq === echoed.seq)
    const answer = records.find(
      ({ parent, direction }) => parent === echoed.seq && direction === 'in',
    )
    expect(request?.message).toMatchObject({ method: 'tools/call', params: { name: 'echo' } })
    expect(answer?.message).toHaveProperty('result')
    // Where HTTP carried it, it is told which request and which answer.
    const sent = records.find(({ kind, parent }) => kind === 'http' && parent === echoed.seq)
    const got = records.find(({ kind, parent }) => kind === 'http' && parent === sent?.seq)
    const isHttp = route === 'http' || route === 'sse'
    expect([sent?.details?.['method'], got?.direction]).toEqual(
      isHttp ? ['POST', 'in'] : [undefined, undefined],
    )
  })
})

test('several servers at once, each in its own revision [ARCH-01]', async () => {
  await using one = await serveEverything('http')
  await using other = await serveEverything('websocket')
  await using page = await openPage({
    servers: [
      { name: 'old', entry: one.entry },
      { name: 'new', entry: other.entry },
    ],
  })
  await page.ask('servers/settings', { name: 'old', settings: { era: '2025-06-18' } })

  await Promise.all([
    page.ask('servers/connect', { name: 'old' }),
    page.ask('servers/connect', { name: 'new' }),
  ])

  const { servers } = await page.ask('state/get', {})
  expect(servers.map(({ name, session }) => [name, session?.revision])).toEqual([
    ['old', '2025-06-18'],
    ['new', '2026-07-28'],
  ])
})
