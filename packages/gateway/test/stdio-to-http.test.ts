import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { officialClients } from '../../../test-support/official-clients.ts'
import { everything, hostile, officialEverything } from './programs.ts'
import { open, startTestBridge, textOf } from './running.ts'

test.each(['legacy', 'modern'] as const)(
  'a server over stdio is called over HTTP by a client of the %s era, with progress and cancellation',
  async (protocolVersion) => {
    await using bridge = await startTestBridge({ from: everything })
    await using client = await open(bridge, { protocolVersion })
    const told: number[] = []
    const controller = new AbortController()

    const sum = await client.callTool('get-sum', { a: 2, b: 3 })
    await client.callTool(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      { onProgress: ({ progress }) => told.push(progress) },
    )
    const long = client.callTool(
      'trigger-long-running-operation',
      { duration: 600, steps: 6_000 },
      { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
    )

    expect(textOf(sum)).toContain('5')
    expect(told).toEqual([1, 2])
    await expect(long).rejects.toThrow('enough')
    expect(textOf(await client.callTool('echo', { message: 'next' }))).toContain('next')
  },
)

test.each(officialClients)(
  'the official client %s calls through the bridge',
  async (_, openClient) => {
    await using bridge = await startTestBridge({ from: everything })
    await using client = await openClient(bridge.url!) // it listens

    const { tools } = await client.listTools()
    const result = await client.callTool({ name: 'echo', arguments: { message: 'hello' } })

    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(JSON.stringify(result)).toContain('hello')
  },
)

test.each(['legacy', 'modern'] as const)(
  'an official server of an older revision is served to a client of the %s era',
  async (protocolVersion) => {
    await using bridge = await startTestBridge({ from: officialEverything })
    await using client = await open(bridge, {
      protocolVersion,
      elicit: () => ({ action: 'decline' }),
      sample: () => ({
        role: 'assistant',
        content: { type: 'text', text: 'Forty-two.' },
        model: 'mine',
      }),
    })

    const echoed = await client.callTool('echo', { message: 'hello' })
    const sampled = await client.callTool('trigger-sampling-request', { prompt: 'Why?' })
    const asked = await client.callTool('trigger-elicitation-request')

    expect(textOf(echoed)).toContain('hello')
    expect(JSON.stringify(sampled.content)).toContain('Forty-two.')
    expect(JSON.stringify(asked.content)).toMatch(/declin/i)
  },
)

test('definitions and results pass with fields that nobody knows', async () => {
  await using bridge = await startTestBridge({ from: hostile('good') })
  await using client = await open(bridge, { protocolVersion: '2025-11-25' })

  const listed = await client.request('tools/list', {})
  const called = await client.request('tools/call', { name: 'echo', arguments: {} })

  expect(listed).toEqual({
    tools: [{ name: 'echo', inputSchema: { type: 'object' }, unknown: { kept: [1] } }],
    alsoUnknown: 1,
  })
  expect(called).toMatchObject({
    content: [{ type: 'text', unknown: 'kept' }],
    alsoUnknown: { deep: [null] },
  })
})

test('an error of the server passes with its number, text and data', async () => {
  await using bridge = await startTestBridge({ from: hostile('good') })
  await using client = await open(bridge, { protocolVersion: '2025-11-25' })

  await expect(client.request('foo/bar', {})).rejects.toMatchObject({
    wireCode: -32601,
    message: 'no foo/bar',
    data: { mine: true },
  })
})

test('each session has a child of its own, which ends with it; with --mode shared there is one', async () => {
  await using apart = await startTestBridge({ from: hostile('good') })
  await using shared = await startTestBridge({ from: hostile('good'), mode: 'shared' })
  const [one, two] = await Promise.all(
    [apart, apart].map((each) => open(each, { protocolVersion: 'legacy' })),
  )
  await using three = await open(shared, { protocolVersion: 'legacy' })
  await using four = await open(shared, { protocolVersion: 'legacy' })

  const pids = await Promise.all([one!, two!].map((each) => each.callTool('pid')))
  const same = await Promise.all([three, four].map((each) => each.callTool('pid')))
  expect(new Set(pids.map(textOf)).size).toBe(2)
  expect(new Set(same.map(textOf)).size).toBe(1)
  expect([apart.connections, shared.connections]).toEqual([2, 1])

  await Promise.all([one!.close(), two!.close()])
  await expect.poll(() => apart.connections).toBe(0)
})

test('an unused session ends after --session-timeout, and its child with it', async () => {
  await using bridge = await startTestBridge({ from: hostile('good'), sessionTimeoutMs: 500 })
  const posted = await fetch(bridge.url!, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'gone', version: '1' },
      },
    }),
  })
  expect(posted.status).toBe(200)
  expect(bridge.connections).toBe(1)

  await expect.poll(() => bridge.connections).toBe(0)
})

test('a server that does not answer in time is an error that says so', async () => {
  await using bridge = await startTestBridge({ from: hostile('hang'), startTimeoutMs: 300 })

  await expect(
    connect(bridge.url!, { protocolVersion: 'legacy', reconnect: false }),
  ).rejects.toThrow(/was not ready within 300 ms/)
  await expect.poll(() => bridge.connections).toBe(0)
})
