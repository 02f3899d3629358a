import type { ContextOptions } from '@parley/host'
import type { ScriptedTurn } from '@parley/host/models'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { call, consentBy, inProcess, of, play, testHost } from '../playing.ts'

function manyServers(count: number, toolsEach: number) {
  const received: string[] = []
  const servers = Array.from({ length: count }, (_, at) => {
    const server = createServer({ name: `s${at}`, version: '1.0.0' })
    for (let index = 0; index < toolsEach; index += 1) {
      const description = `Tool ${index} of server ${at} for ${at === 7 && index === 3 ? 'calendar events' : 'other things'}. ${'It explains itself at length. '.repeat(12)}`
      server.tool(
        `tool_${index}`,
        { description, inputSchema: z.object({ text: z.string() }) },
        () => {
          received.push(`s${at} tool_${index}`)
          return 'ok'
        },
      )
    }
    return inProcess(`s${at}`, server)
  })
  return { servers, heard: received }
}

function manyToolHost(script: readonly ScriptedTurn[], context: ContextOptions) {
  const { servers, heard } = manyServers(40, 12)
  const consent = consentBy()
  return { host: testHost(script, servers, { consent, context }), heard, consent }
}

test('above the share of the window a model finds tools by searching, with consent as ever', async () => {
  const { host, heard, consent } = manyToolHost(
    [
      call('find_tools', { query: 'calendar events' }),
      call('describe_tool', { name: 's7__tool_3' }),
      {
        calls: [{ name: 'call_tool', arguments: { name: 's7__tool_3', arguments: { text: 'x' } } }],
      },
      'Done.',
    ],
    { mode: 'auto' },
  )

  const events = await play(host.turn('Go.'))

  expect(host.model.requests[0]?.tools.map(({ name }) => name)).toEqual([
    'find_tools',
    'describe_tool',
    'call_tool',
  ])
  expect(heard).toEqual(['s7 tool_3'])
  expect(
    consent.asked.map((calls) => calls.map(({ server, tool }) => `${server} ${tool.name}`)),
  ).toEqual([['s7 tool_3']])
  expect(of(events, 'call')).toMatchObject([
    { server: 's7', tool: 'tool_3', arguments: { text: 'x' } },
  ])
  const meter = host.meter()
  expect(meter.definitionsSent).toBeLessThan(meter.windowTokens * 0.1)
  expect(meter.definitionsOfAll).toBeGreaterThan(meter.windowTokens * 0.1)
  expect(meter.servers[7]).toMatchObject({ server: 's7', tools: 12, results: expect.any(Number) })
  expect(meter.servers[7]?.results).toBeGreaterThan(0)
  expect(meter.isEstimate).toBe(true)
})

test('all, pinned and search define what they say', async () => {
  const script = ['Done.']
  const all = manyToolHost(script, { mode: 'all' }).host
  await play(all.turn('Go.'))
  expect(all.model.requests[0]?.tools).toHaveLength(480)

  const search = manyToolHost(script, {
    mode: 'search',
    pinned: [{ server: 's1', tool: 'tool_0' }],
  }).host
  await play(search.turn('Go.'))
  expect(search.model.requests[0]?.tools.map(({ name }) => name)).toEqual([
    's1__tool_0',
    'find_tools',
    'describe_tool',
    'call_tool',
  ])

  const pinned = manyToolHost(script, {
    mode: 'pinned',
    pinned: [{ server: 's39' }],
    share: 0.05,
  }).host
  await play(pinned.turn('Go.'))
  const names = pinned.model.requests[0]?.tools.map(({ name }) => name) ?? []
  expect(names.slice(0, 12).every((name) => name.startsWith('s39__'))).toBe(true)
  expect(names.length).toBeGreaterThan(20)
  expect(pinned.meter().definitionsSent).toBeLessThan(128_000 * 0.06)
})

test('the figures of the meter add up to what a request carries', async () => {
  const { servers } = manyServers(2, 2)
  const docs = createServer({ name: 'docs', version: '1.0.0', instructions: 'Read first.' })
  docs.resource('docs://intro', { name: 'intro' }, () => 'Welcome.')
  const host = testHost(['Done.'], [...servers, inProcess('docs', docs)])
  await play(host.turn('Go.'))

  const meter = host.meter()
  const sumOf = (key: 'definitions' | 'instructions') =>
    meter.servers.reduce((sum, server) => sum + server[key], 0)

  expect(host.model.requests[0]?.tools.at(-1)?.name).toBe('read_resource')
  expect(meter.hostDefinitions).toBeGreaterThan(0)
  expect(meter.definitionsSent).toBe(sumOf('definitions') + meter.hostDefinitions)
  expect(meter.instructions).toBe(sumOf('instructions'))
  expect(meter.instructions).toBeGreaterThan(0)
})

test('few tools are all defined, and no search is offered', async () => {
  const { servers } = manyServers(2, 2)
  const host = testHost(['Done.'], servers)
  await play(host.turn('Go.'))
  expect(host.model.requests[0]?.tools).toHaveLength(4)
})

test('many servers are nothing that Node warns of', async () => {
  const warnings: string[] = []
  const onWarning = ({ message }: Error): number => warnings.push(message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const { servers } = manyServers(40, 1)

  await play(testHost(['Done.'], servers).turn('Go.'))
  await new Promise((resolve) => void setImmediate(resolve)) // warnings come a little later

  expect(warnings).toEqual([])
})
