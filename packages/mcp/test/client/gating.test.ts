import type { Client } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'

const calls: readonly (readonly [string, string, (client: Client) => Promise<unknown>])[] = [
  ['tools/list', 'tools', (client) => client.listTools().toArray()],
  ['tools/call', 'tools', (client) => client.callTool('x')],
  ['resources/list', 'resources', (client) => client.listResources().page()],
  ['resources/templates/list', 'resources', (client) => client.listResourceTemplates().page()],
  ['resources/read', 'resources', (client) => client.readResource('a:b')],
  ['prompts/list', 'prompts', (client) => client.listPrompts().page()],
  ['prompts/get', 'prompts', (client) => client.getPrompt('x')],
  ['logging/setLevel', 'logging', (client) => client.setLoggingLevel('debug')],
  [
    'completion/complete',
    'completions',
    (client) => client.complete({ type: 'ref/prompt', name: 'x' }, { name: 'a', value: '' }),
  ],
]

describeMatrix('what a server does not offer', ({ revision, rawServer }) => {
  test.each(calls)('%s is not asked of it [R1105B-12]', async (method, capability, call) => {
    const server = rawServer()
    const client = await server.accept({ capabilities: {} })

    await expect(call(client)).rejects.toMatchObject({
      name: 'McpError',
      code: 'unsupported',
      message: expect.stringContaining(method),
      details: { capability },
      peer: expect.any(String),
    })
    expect((await server.quiet()).map((message) => message.method)).toEqual([
      'notifications/initialized',
    ])
    await client.close()
  })

  test('in completions is tried where the revision has no capability for it [XREV-16]', async () => {
    const server = rawServer()
    const client = await server.accept({ capabilities: { prompts: {} } })

    const completing = client.complete({ type: 'ref/prompt', name: 'x' }, { name: 'a', value: '' })
    completing.catch(() => undefined)

    if (revision === '2024-11-05') {
      await server.reject('completion/complete', { code: -32601, message: 'none here' })
      await expect(completing).rejects.toMatchObject({ code: 'method_not_found' })
    } else {
      await expect(completing).rejects.toMatchObject({ code: 'unsupported' })
    }
    await client.close()
  })

  test('can still be asked by name, for extensions', async () => {
    const server = rawServer()
    const client = await server.accept({ capabilities: {} })

    const requesting = client.request('com.example/think', { deep: true })
    const { params } = await server.answer('com.example/think', { thought: 1 })

    expect(await requesting).toEqual({ thought: 1 })
    expect(params).toEqual({ deep: true })
    await client.close()
  })

  test('in completions may be partial, and is taken so [COMP-15]', async () => {
    const server = rawServer()
    const client = await server.accept()
    const complete = () =>
      client.complete({ type: 'ref/resource', uri: 'a:{b}' }, { name: 'b', value: '' })

    const empty = complete()
    await server.answer('completion/complete', { completion: { values: [] } })
    const partial = complete()
    await server.answer('completion/complete', {
      completion: { values: ['a'], total: 500, hasMore: true },
    })
    const broken = complete()
    broken.catch(() => undefined)
    await server.answer('completion/complete', {})

    expect(await empty).toEqual({ values: [] })
    expect(await partial).toEqual({ values: ['a'], total: 500, hasMore: true })
    await expect(broken).rejects.toMatchObject({ code: 'invalid_message' })
    await client.close()
  })
})
