import type { Client, ConnectOptions } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { createEverything } from './everything.ts'
import type { Raw } from './raw-channel.ts'

/** A message of a session, and who sent it. */
export interface Recorded {
  readonly from: 'client' | 'server'
  readonly message: Raw
}

type Connect = (server: Server, options: Omit<ConnectOptions, 'auth'>) => Promise<Client>

/** Everything both sides say in a session that uses every feature there is. */
export async function recordSession(connect: Connect): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = []
  const server = createEverything({ pageSize: 2 })
  const client = await connect(server, {
    info: {
      name: 'recorder',
      version: '1.0.0',
      title: 'Recorder',
      websiteUrl: 'https://a.example',
    },
    experimental: { 'com.example/thing': {} },
    roots: ['/work', { uri: 'file:///data', name: 'data', _meta: { 'com.example/a': 1 } }],
    elicit: (inputRequest) =>
      inputRequest.message === 'Still there?'
        ? new Promise(() => undefined)
        : { action: 'accept', content: { size: 'l', age: 36, sure: false } },
    sample: () => ({
      role: 'assistant',
      content: { type: 'text', text: 'hi', annotations: { lastModified: '2025-06-18T00:00:00Z' } },
      model: 'm',
      stopReason: 'endTurn',
    }),
    onMessage({ direction, message }) {
      const from = direction === 'out' ? 'client' : 'server'
      recorded.push({ from, message: message as unknown as Raw }) // both sides send JSON-RPC only
    },
  })

  await callEverything(client)
  await followEverything(client, server)
  await giveUpACall(client)
  await client.close()
  return recorded
}

async function callEverything(client: Client): Promise<void> {
  await client.setLoggingLevel('debug')
  await client.ping()
  await client.listTools().toArray()
  await client.listPrompts().toArray()
  await client.listResources().toArray()
  await client.listResourceTemplates().toArray()
  for (const name of ['count', 'blocks', 'fail', 'ask', 'think', 'look'])
    await client.callTool(name)
  await client.callTool('forecast', { city: 'Oslo' }, { _meta: { 'com.example/trace': 'abc' } })
  await client.callTool('forecast') // arguments that do not fit
  await client.callTool('work', {}, { onProgress: () => undefined })
  await client.readResource('notes://fixed')
  await client.readResource('notes://7')
  await client.getPrompt('review', { code: 'x' })
  const known = { language: 'go' }
  await client.complete(
    { type: 'ref/prompt', name: 'review', title: 'Review' },
    { name: 'code', value: 'a' },
    { known },
  )
  await client.complete({ type: 'ref/resource', uri: 'notes://{id}' }, { name: 'id', value: '' })
  const rejected = [
    client.callTool('none such'),
    client.getPrompt('review'),
    client.readResource('other://1'),
    client.request('com.example/none'),
    client.listTools().page('a cursor of mine'),
  ]
  await Promise.all(rejected.map((call) => call.catch(() => undefined)))
}

async function followEverything(client: Client, server: Server): Promise<void> {
  const subscription = await client.listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['notes://fixed'],
  })
  server.notifyChanged('tools')
  server.notifyChanged('prompts')
  server.notifyChanged('resources')
  server.notifyChanged({ uri: 'notes://fixed' })
  const kinds = new Set<string>()
  for await (const { type } of subscription) if (kinds.add(type).size === 4) break
  await subscription[Symbol.asyncDispose]()
  await client.setRoots(['/elsewhere'])
}

/** Both sides withdraw: the client its call, the server the question it was asking for it. */
async function giveUpACall(client: Client): Promise<void> {
  const controller = new AbortController()
  const hanging = client.callTool('hang', {}, { signal: controller.signal })
  hanging.catch(() => undefined) // it is to fail
  await client.ping()
  await untilIdle()
  controller.abort(new Error('enough'))
  await client.ping()
}
