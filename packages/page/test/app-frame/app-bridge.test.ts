import { App } from '@modelcontextprotocol/ext-apps'
import type { JsonObject } from '@parley/mcp'
import { connectApp } from '@parley/mcp/apps/page'
import { expect, test } from 'vitest'

import {
  createAppBridge,
  type AppBridge,
  type AppBridgeOptions,
} from '../../src/app-frame/app-bridge.ts'
import { AppRejection, type AppRequest } from '../../src/app-frame/app-request.ts'

/** A bridge, with what it sends to an app. */
function openBridge(options: Partial<AppBridgeOptions> = {}) {
  const sent: JsonObject[] = []
  const listeners = new Set<(message: JsonObject) => void>()
  const bridge: AppBridge = createAppBridge({
    host: { name: 'ours', version: '1.0.0' },
    capabilities: { serverTools: {}, openLinks: {} },
    context: { theme: 'dark' },
    answer: async () => ({}),
    ...options,
    send(message) {
      sent.push(message)
      queueMicrotask(() => listeners.forEach((receive) => receive(structuredClone(message))))
    },
  })
  const say = (message: object) => bridge.receive({ jsonrpc: '2.0', ...message })
  return { bridge, sent, listeners, say }
}

/** The official app in our host. */
async function openOfficial(options: Partial<AppBridgeOptions> = {}) {
  const { bridge, listeners } = openBridge(options)
  const app = new App({ name: 'official', version: '2.0.4' }, {}, { autoResize: false })
  const transport = {
    onmessage: undefined as ((message: JsonObject) => void) | undefined,
    async start() {
      listeners.add((message) => transport.onmessage?.(message))
    },
    async send(message: JsonObject) {
      queueMicrotask(() => bridge.receive(structuredClone(message)))
    },
    async close() {},
  }
  return { app, bridge, transport }
}

test('the official app and our host shake hands, and talk', async () => {
  const requests: AppRequest[] = []
  const sizes: object[] = []
  const { app, bridge, transport } = await openOfficial({
    onSize: (size) => sizes.push(size),
    async answer(request) {
      requests.push(request)
      return request.kind === 'call' ? { content: [{ type: 'text', text: 'called' }] } : {}
    },
  })
  const received: unknown[] = []
  app.ontoolinput = ({ arguments: input }) => received.push(input)
  app.ontoolresult = ({ structuredContent }) => received.push(structuredContent)
  app.onhostcontextchanged = ({ theme }) => received.push(theme)
  app.onteardown = () => {
    received.push('goodbye')
    return {}
  }
  bridge.toolInput({ count: 2 })
  bridge.toolResult({ content: [], structuredContent: { total: 7 } })

  await app.connect(transport as never) // a transport, as far as it is used
  const called = await app.callServerTool({ name: 'roll', arguments: { count: 2 } })
  await app.openLink({ url: 'https://example.com/' })
  await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'hello' }] })
  await app.sendSizeChanged({ width: 300, height: 200 })
  bridge.changeContext({ theme: 'light' })
  await bridge.teardown('over')

  expect(app.getHostVersion()).toMatchObject({ name: 'ours' })
  expect(app.getHostContext()).toMatchObject({ theme: 'light' })
  expect(called.content).toEqual([{ type: 'text', text: 'called' }])
  expect(requests).toEqual([
    { kind: 'call', name: 'roll', args: { count: 2 } },
    { kind: 'link', url: 'https://example.com/' },
    { kind: 'message', text: 'hello' },
  ])
  expect(received).toEqual([{ count: 2 }, { total: 7 }, 'light', 'goodbye'])
  expect(sizes).toEqual([{ width: 300, height: 200 }])
})

test('our own page and our host shake hands', async () => {
  const { bridge, listeners } = openBridge()
  const results: unknown[] = []
  bridge.toolResult({ content: [], structuredContent: { total: 7 } })

  const app = await connectApp({
    name: 'page',
    version: '1.0.0',
    onToolResult: ({ structuredContent }) => results.push(structuredContent),
    port: {
      send: (message) => queueMicrotask(() => bridge.receive(structuredClone(message))),
      listen(receive) {
        listeners.add(receive)
        return () => listeners.delete(receive)
      },
    },
  })

  expect(app.context).toEqual({ theme: 'dark' })
  await expect.poll(() => results).toEqual([{ total: 7 }])
})

test('nothing is sent before the app has said that it is initialized', async () => {
  const { bridge, sent, say } = openBridge()
  bridge.toolInput({})
  bridge.toolResult({ content: [] })
  bridge.toolResult({ content: [] })
  bridge.changeContext({ theme: 'light' })

  say({ id: 1, method: 'ui/initialize', params: {} })
  await expect.poll(() => sent.length).toBe(1)
  say({ id: 2, method: 'tools/call', params: { name: 'roll' } })
  await expect.poll(() => sent.length).toBe(2)
  say({ method: 'ui/notifications/initialized' })
  say({ method: 'ui/notifications/initialized' })
  bridge.toolInput({ count: 2 })

  expect(sent.map(({ method, error }) => method ?? (error ? 'error' : 'result'))).toEqual([
    'result',
    'error',
    'ui/notifications/tool-input',
    'ui/notifications/tool-result',
  ])
  expect(sent[0]).toMatchObject({ result: { hostContext: { theme: 'light' } } })
})

test.each([
  ['not an object', 'hello'],
  ['null', null],
  ['a list', []],
  ['another version', { jsonrpc: '1.0', id: 1, method: 'tools/call' }],
  [
    'an id that is an object',
    { jsonrpc: '2.0', id: {}, method: 'tools/call', params: { name: 'x' } },
  ],
  ['a method that is not text', { jsonrpc: '2.0', id: 1, method: 7 }],
  ['an answer to nothing', { jsonrpc: '2.0', id: 99, result: {} }],
])('ignores %s', async (_, message) => {
  const { bridge, sent, say } = openBridge({ answer: () => expect.unreachable() })
  say({ method: 'ui/notifications/initialized' })

  bridge.receive(message)

  expect(sent).toEqual([])
})

test.each([
  ['tools/list', {}, -32601],
  ['sampling/createMessage', {}, -32601],
  ['ui/notifications/sandbox-resource-ready', {}, -32601],
  ['tools/call', { name: '' }, -32602],
  ['tools/call', { name: 'x', arguments: [] }, -32602],
  ['tools/call', { name: 'x'.repeat(201) }, -32602],
  ['resources/read', {}, -32602],
  ['ui/open-link', { url: 'javascript:alert(1)' }, -32000],
  ['ui/open-link', { url: 'file:///etc/passwd' }, -32000],
  ['ui/open-link', { url: 'https://user:secret@example.com' }, -32000],
  ['ui/message', { role: 'assistant', content: { type: 'text', text: 'x' } }, -32000],
  ['ui/message', { role: 'user', content: [{ type: 'image' }] }, -32000],
  ['ui/message', { role: 'user', content: [{ type: 'text', text: 'x'.repeat(100_001) }] }, -32000],
  ['ui/update-model-context', { content: 'x' }, -32000],
])('refuses %s with %j', async (method, params, code) => {
  const { sent, say } = openBridge({ answer: () => expect.unreachable() })
  say({ method: 'ui/notifications/initialized' })

  say({ id: 1, method, params })

  await expect.poll(() => sent).toMatchObject([{ id: 1, error: { code } }])
})

test('a refusal, and an error of the host, reach the app as errors', async () => {
  const { sent, say } = openBridge({
    async answer(request) {
      if (request.kind === 'call') throw new AppRejection('Tool call denied by user')
      throw new Error('lost')
    },
  })
  say({ method: 'ui/notifications/initialized' })
  say({ id: 1, method: 'tools/call', params: { name: 'roll' } })
  say({ id: 'two', method: 'resources/read', params: { uri: 'x://y' } })

  await expect
    .poll(() => sent)
    .toMatchObject([
      { id: 1, error: { code: -32000, message: 'Tool call denied by user' } },
      { id: 'two', error: { code: -32000, message: 'lost' } },
    ])
})

test('no more than sixteen requests of an app wait at once', async () => {
  let asked = 0
  const { sent, say } = openBridge({
    answer: () => {
      asked += 1
      return new Promise(() => undefined)
    },
  })
  say({ method: 'ui/notifications/initialized' })

  for (let id = 0; id < 100; id += 1) say({ id, method: 'tools/call', params: { name: 'x' } })

  await expect.poll(() => sent.length).toBe(84)
  expect(asked).toBe(16)
})

test('an app that does not say goodbye is not waited for, and a closed bridge is silent', async () => {
  const { bridge, sent, say } = openBridge()
  say({ method: 'ui/notifications/initialized' })

  await bridge.teardown('over')
  bridge.close()
  say({ id: 5, method: 'ping' })
  bridge.toolResult({})

  expect(sent.map(({ method }) => method)).toEqual(['ui/resource-teardown'])
})
