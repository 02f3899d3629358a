import { OutgoingMessage } from '@parley/mcp'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'

import { hasOfficialSchemas, readOfficialSchema } from '../../../../test-support/official-schema.ts'
import { createClient } from '../../src/client/create-client.ts'
import { createEverything } from '../support/everything.ts'
import { openServed } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { Recorded } from '../support/record-session.ts'

/** The official name of what each method asks; its result is named alike. */
const requests: Record<string, string> = {
  'server/discover': 'Discover',
  'completion/complete': 'Complete',
  'prompts/get': 'GetPrompt',
  'prompts/list': 'ListPrompts',
  'resources/list': 'ListResources',
  'resources/templates/list': 'ListResourceTemplates',
  'resources/read': 'ReadResource',
  'subscriptions/listen': 'SubscriptionsListen',
  'tools/call': 'CallTool',
  'tools/list': 'ListTools',
}
const notifications: Record<string, string> = {
  'notifications/cancelled': 'Cancelled',
  'notifications/progress': 'Progress',
  'notifications/message': 'LoggingMessage',
  'notifications/resources/updated': 'ResourceUpdated',
  'notifications/resources/list_changed': 'ResourceListChanged',
  'notifications/tools/list_changed': 'ToolListChanged',
  'notifications/prompts/list_changed': 'PromptListChanged',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledged',
}
const ownErrors: Record<number, string> = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
}

/** Everything both sides say where every feature is used, and every refusal made. */
async function record(): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = []
  const server = createEverything({ pageSize: 2 })
  const { near, service } = await openServed('text', server, { revisions: ['2026-07-28'] })
  const client = await createClient(() => near, {
    protocolVersion: '2026-07-28',
    onError: () => undefined,
    info: { name: 'recorder', version: '1.0.0', title: 'Recorder' },
    roots: ['/work', { uri: 'file:///data', name: 'data' }],
    elicit: () => ({ action: 'accept', content: { size: 'l', age: 36, sure: false } }),
    sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }),
    onMessage({ direction, message }) {
      const from = direction === 'out' ? 'client' : 'server'
      recorded.push({ from, message: message as unknown as Raw }) // both sides send JSON-RPC only
    },
  })
  await client.setLoggingLevel('debug')
  await client.listTools().toArray()
  await client.listPrompts().toArray()
  await client.listResources().toArray()
  await client.listResourceTemplates().toArray()
  for (const name of ['count', 'blocks', 'fail', 'ask', 'think', 'look'])
    await client.callTool(name)
  await client.callTool('forecast', { city: 'Oslo' })
  await client.callTool('forecast')
  await client.callTool('work', {}, { onProgress: () => undefined })
  await client.readResource('notes://fixed')
  await client.readResource('notes://7')
  await client.getPrompt('review', { code: 'x' })
  await client.complete({ type: 'ref/prompt', name: 'review' }, { name: 'code', value: 'a' })
  await client.complete({ type: 'ref/resource', uri: 'notes://{id}' }, { name: 'id', value: '' })
  const rejected = [
    client.callTool('none such'),
    client.getPrompt('review'),
    client.readResource('other://1'),
    client.request('com.example/none'),
    client.listTools().page('a cursor of mine'),
  ]
  await Promise.all(rejected.map((call) => call.catch(() => undefined)))
  const following = await client.listen({
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
  for await (const { type } of following) if (kinds.add(type).size === 4) break
  await service.drain()
  await client.close()
  return recorded
}

/** What is refused for lacking something, which a client of ours never does. */
async function recordRefusals(): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = []
  const { near, service } = await openServed('text', createEverything(), {
    revisions: ['2026-07-28'],
    onMessage: ({ direction, message }) => {
      if (direction === 'out') recorded.push({ from: 'server', message: message as unknown as Raw }) // JSON-RPC
    },
  })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const old = { ..._meta, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }
  const send = (id: number, method: string, params?: object) =>
    near.send(new OutgoingMessage(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
  await send(1, 'tools/call', { name: 'ask', _meta })
  await send(2, 'tools/list', { _meta: old })
  await send(3, 'initialize', { protocolVersion: '2025-11-25' })
  await send(4, 'tools/list')
  await send(5, 'ping', { _meta })
  near.receive?.({ message: () => undefined, end: () => undefined })
  await expect.poll(() => recorded.length).toBe(5)
  await service.drain()
  return recorded
}

interface Case {
  readonly definition: string
  readonly value: unknown
}

function casesOf(recorded: readonly Recorded[]): readonly Case[] {
  const asked = new Map<unknown, string>()
  return recorded.flatMap(({ message }): readonly Case[] => {
    const { id, method, result, error } = message
    if (method !== undefined && id !== undefined) {
      const name = requests[method]
      asked.set(id, name ?? '')
      const own = name === undefined ? [] : [{ definition: `${name}Request`, value: message }]
      return [{ definition: 'JSONRPCRequest', value: message }, ...own]
    }
    if (method !== undefined) {
      return [
        { definition: 'JSONRPCNotification', value: message },
        { definition: `${notifications[method]}Notification`, value: message },
      ]
    }
    if (error !== undefined) {
      const own = ownErrors[error.code]
      const named = own === undefined ? [] : [{ definition: own, value: message }]
      return [{ definition: 'JSONRPCErrorResponse', value: message }, ...named]
    }
    const isAsking = result?.['resultType'] === 'input_required'
    const definition = isAsking ? 'InputRequired' : asked.get(id)
    return [
      { definition: 'JSONRPCResultResponse', value: message },
      { definition: `${definition}Result`, value: result },
    ]
  })
}

describe.skipIf(!hasOfficialSchemas)('against the official schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  if (hasOfficialSchemas) ajv.addSchema(readOfficialSchema('2026-07-28'), 'official')

  function problemsOf(recorded: readonly Recorded[]): readonly string[] {
    return casesOf(recorded).flatMap(({ definition, value }) => {
      const validate = ajv.getSchema(`official#/$defs/${definition}`)
      if (validate === undefined) return [`there is no ${definition}`]
      return validate(value)
        ? []
        : [`${definition}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`]
    })
  }

  test('every message of a whole session fits it, and each of them is there', async () => {
    const recorded = await record()

    const sent = new Set(recorded.map(({ message }) => message.method))
    const expected = [...Object.keys(requests), ...Object.keys(notifications)]
    expect(expected.filter((method) => !sent.has(method))).toEqual([])
    expect(
      recorded.some(({ message }) => message.result?.['resultType'] === 'input_required'),
    ).toBe(true)
    expect(problemsOf(recorded)).toEqual([])
  })

  test('so do refusals', async () => {
    const recorded = await recordRefusals()

    const codes = recorded.map(({ message }) => message.error?.code ?? 0)
    expect(codes.toSorted((a, b) => b - a)).toEqual([-32021, -32022, -32022, -32601, -32602])
    expect(problemsOf(recorded)).toEqual([])
  })
})
