import type { Client } from '@parley/mcp/client'
import { createServer, mountClient, toolResult } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

function createRemote() {
  const server = createServer({ name: 'remote', version: '1.0.0' })
  const aborted: unknown[] = []
  const inputSchema = {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  } as const
  server.tool('echo', { title: 'Echo', inputSchema }, async ({ text }, { progress }) => {
    await progress({ progress: 1, total: 1 })
    return text as string
  })
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } } as const
  server.tool('sum', { outputSchema }, () => toolResult({ structuredContent: { sum: 3 } }))
  server.tool('fail', {}, () => ({ content: [{ type: 'text', text: 'no' }], isError: true }))
  server.tool('wait', {}, async (_, { signal, progress }) => {
    await progress({ progress: 1 })
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    aborted.push(signal.reason)
  })
  server.resource('note://one', { name: 'one', mimeType: 'text/plain' }, () => 'first')
  server.resource('note://{id}/{part}', {}, ({ id, part }) => `${id} ${part}`)
  const argumentsSchema = { type: 'object', properties: { city: { type: 'string' } } } as const
  const cities = ['Oslo', 'Bergen']
  server.prompt(
    'plan',
    {
      argumentsSchema,
      complete: { city: (value) => cities.filter((city) => city.startsWith(value)) },
    },
    ({ city }) => `Plan ${city as string}`,
  )
  return { server, aborted }
}

async function open(): Promise<{ client: Client; aborted: unknown[]; remote: Client }> {
  const { server, aborted } = createRemote()
  const remote = (await createTestClient(server)) as unknown as Client // tools by any name
  const front = createServer({ name: 'front', version: '1.0.0' })
  await mountClient(front, 'far', remote)
  return { client: (await createTestClient(front)) as unknown as Client, aborted, remote }
}

test('a mounted client offers what its server has, and forwards calls, reads, prompts and completion', async () => {
  const { client, remote } = await open()
  const told: unknown[] = []

  const tools = await client.listTools().toArray()
  const theirs = await remote.listTools().toArray()
  expect(tools).toEqual(theirs.map((tool) => ({ ...tool, name: `far_${tool.name}` })))
  const echoed = await client.callTool(
    'far_echo',
    { text: 'hi' },
    { onProgress: (progress) => told.push(progress) },
  )
  expect(echoed).toEqual({ content: [{ type: 'text', text: 'hi' }] })
  expect(told).toEqual([{ progress: 1, total: 1 }])
  expect(await client.callTool('far_sum')).toMatchObject({ structuredContent: { sum: 3 } })
  expect(await client.callTool('far_fail')).toMatchObject({ isError: true })

  expect(await client.listResources().toArray()).toMatchObject([{ uri: 'note://one', name: 'one' }])
  for (const [uri, text] of [
    ['note://one', 'first'],
    ['note://a/b', 'a b'],
  ] as const) {
    expect((await client.readResource(uri)).contents).toMatchObject([{ uri, text }])
  }
  expect(await client.getPrompt('far_plan', { city: 'Oslo' })).toMatchObject({
    messages: [{ content: { text: 'Plan Oslo' } }],
  })
  const ref = { type: 'ref/prompt', name: 'far_plan' } as const
  expect((await client.complete(ref, { name: 'city', value: 'O' })).values).toEqual(['Oslo'])
  await client.close()
  await remote.close()
})

test('a call that is given up is given up at the server behind a mounted client too', async () => {
  const { client, aborted, remote } = await open()
  const enough = new AbortController()

  const call = client.callTool(
    'far_wait',
    {},
    { signal: enough.signal, onProgress: () => enough.abort() },
  )

  await expect(call).rejects.toThrow('abort')
  await expect.poll(() => aborted).toMatchObject([{ code: 'cancelled' }])
  await client.close()
  await remote.close()
})
