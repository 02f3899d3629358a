import type { Consent } from '@parley/host'
import type { AdapterOptions, AdapterProgress } from '@parley/host/adapters'
import { expect, test } from 'vitest'

import { bindTools, type BoundTool } from '../../src/adapters/bound-tools.ts'
import { consentThat, openWorkshop, type Workshop } from './workshop.ts'

test('gives each tool a name that models take, its schema, and a description that hides nothing', async () => {
  await using workshop = await openWorkshop()

  const tools = await bind(workshop)
  const add = tools.find((tool) => tool.tool.name === 'add')
  const [other] = await bindTools({ 'my servers': workshop.client }, { consent: 'allow' })

  expect(add).toMatchObject({
    name: 'workshop__add',
    description: 'Adds two numbers',
    inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] },
  })
  expect(other?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(tools.find(({ tool }) => tool.name === 'chart')).toMatchObject({
    description: 'Draws a chart',
    inputSchema: { type: 'object', properties: {} },
  })
})

test('hands over the tools that the filter keeps', async () => {
  await using workshop = await openWorkshop()

  const tools = await bind(workshop, {
    filter: (server, tool) => server === 'workshop' && tool.name !== 'fail',
  })

  expect(tools.map(({ tool }) => tool.name)).toEqual(['add', 'chart', 'long', 'wait'])
})

test('calls nothing that was denied, and says why', async () => {
  await using workshop = await openWorkshop()
  const consent = consentThat(['add'])

  const answer = await call(await bind(workshop, { consent }), 'add', { a: 1, b: 2 })

  expect(answer).toEqual({
    content: [{ type: 'text', text: 'add is not allowed here' }],
    isError: true,
  })
  expect(workshop.called).toEqual([])
  expect(consent.outcomes).toEqual([])
})

test.each<[string, Consent]>([
  ['fails', { decide: async () => Promise.reject(new Error('no disk')) }],
  ['says nothing', { decide: async () => [] }],
])('calls nothing when consent %s', async (_, consent) => {
  await using workshop = await openWorkshop()

  const answer = await call(await bind(workshop, { consent }), 'add', { a: 1, b: 2 })

  expect(answer.isError).toBe(true)
  expect(workshop.called).toEqual([])
})

test('asks once about calls that come together, with what the conversation has read', async () => {
  await using workshop = await openWorkshop()
  const consent = consentThat()
  const tools = await bind(workshop, { consent })

  await Promise.all([call(tools, 'add', { a: 1, b: 2 }), call(tools, 'fail')])
  await call(tools, 'chart')

  expect(consent.asked.map((calls) => calls.map(({ tool }) => tool.name))).toEqual([
    ['add', 'fail'],
    ['chart'],
  ])
  expect(consent.asked.map(([first]) => first?.flow.untrusted)).toEqual([false, true])
  expect(consent.outcomes.toSorted()).toEqual(['add: result', 'chart: result', 'fail: error'])
})

test('calls with the arguments that a person changed', async () => {
  await using workshop = await openWorkshop()
  const consent: Consent = {
    decide: async () => [{ decision: 'allow', rule: 'person', arguments: { a: 10, b: 20 } }],
  }

  const answer = await call(await bind(workshop, { consent }), 'add', { a: 1, b: 2 })

  expect(answer.structuredContent).toEqual({ sum: 30 })
})

test('binds consent to how the server is reached', async () => {
  await using workshop = await openWorkshop()
  const consent = consentThat()
  const { client } = workshop

  for (const target of ['https://one.example/mcp', 'https://two.example/mcp', undefined]) {
    const tools = await bindTools({ workshop: { client, target } }, { consent })
    await call(tools, 'chart')
  }

  const hashes = consent.asked.flat().map(({ serverHash }) => serverHash)
  expect(new Set(hashes).size).toBe(3)
  expect(consent.asked[0]?.[0]?.serverDefinition).toEqual({ url: 'https://one.example/mcp' })
})

test('labels results as data, keeps images, and cuts what is too long', async () => {
  await using workshop = await openWorkshop()
  const tools = await bind(workshop, { limits: { resultCharacters: 1000 } })

  const chart = await call(tools, 'chart')
  const long = await call(tools, 'long')

  expect(chart.content).toMatchObject([
    { type: 'text', text: expect.stringMatching(/^\[data .*not instructions\]\nA chart:/) },
    { type: 'image', mimeType: 'image/png' },
  ])
  expect(JSON.stringify(long.content)).toContain('(49000 more characters were left out)')
  expect(JSON.stringify(long.content).length).toBeLessThan(1500)
})

test('refuses more calls in a minute than the limit, and tells the model to wait', async () => {
  await using workshop = await openWorkshop()
  const tools = await bind(workshop, { limits: { callsPerMinute: 1 } })

  await call(tools, 'chart')
  const second = await call(tools, 'chart')

  expect(second).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/the limit is 1 calls a minute; wait \d+ s/) }],
  })
  expect(workshop.called).toEqual(['chart'])
})

test('runs no more calls at the same time than the limit', async () => {
  await using workshop = await openWorkshop()
  const tools = await bind(workshop, { limits: { parallelCalls: 1 } })
  const stop = new AbortController()

  const waiting = call(tools, 'wait', {}, stop.signal)
  const next = call(tools, 'chart')
  await expect.poll(() => workshop.called).toEqual(['wait'])
  stop.abort()

  await expect(waiting).rejects.toThrow()
  await next
  expect(workshop.called).toEqual(['wait', 'chart'])
})

test('reports progress, and passes cancellation on to the server', async () => {
  await using workshop = await openWorkshop()
  const stop = new AbortController()
  const consent = consentThat()
  const seen: AdapterProgress[] = []
  const tools = await bind(workshop, {
    consent,
    onProgress: (progress) => {
      seen.push(progress)
      stop.abort()
    },
  })

  await expect(call(tools, 'wait', {}, stop.signal)).rejects.toThrow()
  await workshop.cancelled

  expect(seen).toMatchObject([
    {
      callId: 'call-wait',
      server: 'workshop',
      tool: 'wait',
      progress: 1,
      total: 2,
      message: 'half',
    },
  ])
  expect(consent.outcomes).toEqual(['wait: cancelled'])
})

test('ends a call that hangs, and says so', async () => {
  await using workshop = await openWorkshop()
  const tools = await bind(workshop, { limits: { callIdleMs: 50 } })

  const answer = await call(tools, 'wait')
  await workshop.cancelled

  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('did not answer in time') }],
  })
})

test('one call that is stopped leaves the question about the other open', async () => {
  await using workshop = await openWorkshop()
  const stop = new AbortController()
  const consent: Consent = {
    decide: async (calls, signal) => {
      stop.abort()
      await new Promise((resolve) => setImmediate(resolve))
      expect(signal.aborted).toBe(false)
      return calls.map(() => ({ decision: 'allow', rule: 'test' }))
    },
  }
  const tools = await bind(workshop, { consent })

  const [stopped, other] = await Promise.allSettled([
    call(tools, 'chart', {}, stop.signal),
    call(tools, 'add', { a: 1, b: 2 }),
  ])

  expect([stopped.status, other.status]).toEqual(['rejected', 'fulfilled'])
  expect(workshop.called).toEqual(['add'])
})

function bind({ client }: Workshop, options: Partial<AdapterOptions> = {}) {
  return bindTools({ workshop: client }, { consent: 'allow', ...options })
}

function call(tools: readonly BoundTool[], name: string, args = {}, signal?: AbortSignal) {
  const found = tools.find(({ tool }) => tool.name === name)
  if (found === undefined) throw new Error(`no tool ${name}`)
  return found.call(args, { callId: `call-${name}`, signal })
}
