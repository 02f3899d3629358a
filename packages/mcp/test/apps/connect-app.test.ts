import { createContext, runInContext } from 'node:vm'

import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import { appScript } from '@parley/mcp/apps'
import { type App, type AppPort, connectApp, type ConnectAppOptions } from '@parley/mcp/apps/page'
import { expect, test } from 'vitest'

/** The two ends of a frame's messages, one as the official package has it. */
function createWire() {
  const toApp = new Set<(message: unknown) => void>()
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {},
    async send(message: unknown) {
      queueMicrotask(() => toApp.forEach((receive) => receive(structuredClone(message))))
    },
    async close() {
      transport.onclose?.()
    },
  }
  const port: AppPort = {
    send: (message) =>
      queueMicrotask(() => transport.onmessage?.(structuredClone(message) as never)), // any message
    listen(receive) {
      toApp.add(receive)
      return () => toApp.delete(receive)
    },
  }
  return { transport, port }
}

/** Our app in the official host. */
async function openOfficial(options: Partial<ConnectAppOptions> = {}) {
  const { transport, port } = createWire()
  const bridge = new AppBridge(
    null,
    { name: 'official', version: '2.0.4' },
    { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} },
    { hostContext: { theme: 'dark', displayMode: 'inline' } },
  )
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  await bridge.connect(transport as never) // a transport, as far as it is used
  const app: App = await connectApp({ name: 'ours', version: '1.0.0', port, ...options })
  await initialized
  return { bridge, app }
}

test('the official host and our page shake hands', async () => {
  const { bridge, app } = await openOfficial({ displayModes: ['inline', 'fullscreen'] })

  expect(app.host).toMatchObject({ name: 'official', version: '2.0.4' })
  expect(app.capabilities).toMatchObject({ openLinks: {}, serverTools: {} })
  expect(app.context).toMatchObject({ theme: 'dark', displayMode: 'inline' })
  expect(bridge.getAppVersion()).toMatchObject({ name: 'ours', version: '1.0.0' })
  expect(bridge.getAppCapabilities()?.availableDisplayModes).toEqual(['inline', 'fullscreen'])
})

test('arguments, results, cancellation and context of the official host arrive', async () => {
  const received: unknown[] = []
  const { bridge, app } = await openOfficial({
    onToolInputPartial: (input) => received.push(['partial', input]),
    onToolInput: (input) => received.push(['input', input]),
    onToolResult: (result) => received.push(['result', result.structuredContent]),
    onToolCancelled: (reason) => received.push(['cancelled', reason]),
    onContext: ({ theme }) => received.push(['theme', theme]),
  })

  await bridge.sendToolInputPartial({ arguments: { count: 1 } })
  await bridge.sendToolInput({ arguments: { count: 12 } })
  await bridge.sendToolResult({ content: [], structuredContent: { total: 7 } })
  await bridge.sendToolCancelled({ reason: 'stopped' })
  await bridge.sendHostContextChange({ theme: 'light' })

  await expect
    .poll(() => received)
    .toEqual([
      ['theme', 'dark'],
      ['partial', { count: 1 }],
      ['input', { count: 12 }],
      ['result', { total: 7 }],
      ['cancelled', 'stopped'],
      ['theme', 'light'],
    ])
  expect(app.context).toMatchObject({ theme: 'light', displayMode: 'inline' })
})

test('what a page asks the official host is answered', async () => {
  const { bridge, app } = await openOfficial()
  const seen: unknown[] = []
  bridge.oncalltool = async (params) => {
    seen.push(params)
    return { content: [{ type: 'text', text: 'called' }] }
  }
  bridge.onreadresource = async ({ uri }) => ({ contents: [{ uri, text: 'read' }] })
  bridge.onopenlink = async ({ url }) => (url.includes('evil') ? { isError: true } : {})
  const onmessage: NonNullable<AppBridge['onmessage']> = async ({ content }) => {
    seen.push(content)
    return {}
  }
  Object.assign(bridge, { onmessage }) // a setter of its own, not an event
  bridge.onupdatemodelcontext = async ({ structuredContent }) => {
    seen.push(structuredContent)
    return {}
  }
  bridge.onrequestdisplaymode = async () => ({ mode: 'inline' })
  const sizes: unknown[] = []
  bridge.onsizechange = (size) => sizes.push(size)
  const logs: unknown[] = []
  bridge.onloggingmessage = ({ data }) => logs.push(data)

  const called = await app.callTool('roll', { count: 2 })
  const read = await app.readResource('note://1')
  await app.sendMessage('hello')
  await app.updateContext({ structuredContent: { chosen: 3 } })
  await app.openLink('https://example.com/')
  const rejected = app.openLink('https://evil.example.com/')
  const mode = await app.requestDisplayMode('fullscreen')
  app.resize({ width: 300, height: 200 })
  app.log('info', 'said')

  expect(called.content).toEqual([{ type: 'text', text: 'called' }])
  expect(read.contents).toMatchObject([{ uri: 'note://1', text: 'read' }])
  expect(mode).toBe('inline')
  await expect(rejected).rejects.toThrow('refused')
  expect(seen).toMatchObject([
    { name: 'roll', arguments: { count: 2 } },
    [{ type: 'text', text: 'hello' }],
    { chosen: 3 },
  ])
  await expect.poll(() => [sizes, logs]).toMatchObject([[{ width: 300, height: 200 }], ['said']])
})

test('an error of the host rejects, with its code', async () => {
  const { app } = await openOfficial()

  await expect(app.callTool('unknown')).rejects.toMatchObject({ code: -32601 })
})

test('the page says goodbye when the official host asks for it', async () => {
  const reasons: unknown[] = []
  const { bridge } = await openOfficial({ onTeardown: (reason) => void reasons.push(reason) })

  const answer = await bridge.teardownResource({ reason: 'over' })

  expect(answer).toEqual({})
  expect(reasons).toHaveLength(1)
})

test('a page that is closed listens no more, and what it waits for fails', async () => {
  const { bridge, app } = await openOfficial({ onToolInput: () => expect.unreachable() })
  bridge.oncalltool = () => new Promise(() => undefined)

  const waiting = app.callTool('slow')
  app.close()
  await bridge.sendToolInput({ arguments: {} })

  await expect(waiting).rejects.toThrow('closed')
  await expect(app.callTool('roll')).rejects.toThrow('closed')
})

test('a host that does not answer is given up, and a page without a host says so', async () => {
  const port: AppPort = { send: () => undefined, listen: () => () => undefined }

  const silent = connectApp({ name: 'ours', version: '1.0.0', port, timeoutMs: 1 })

  await expect(silent).rejects.toThrow('did not answer')
  await expect(connectApp({ name: 'ours', version: '1.0.0' })).rejects.toThrow('not in a frame')
})

test('the script for pages without a bundler is the same function, and needs nothing else', async () => {
  const { transport, port } = createWire()
  const bridge = new AppBridge(null, { name: 'official', version: '2.0.4' }, {})
  await bridge.connect(transport as never) // as above
  const scope: { connectApp?: typeof connectApp } = createContext({ setTimeout, clearTimeout })
  runInContext(appScript, scope)

  const app = await scope.connectApp?.({
    name: 'inlined',
    version: '1.0.0',
    port,
    autoResize: false,
  })

  expect(app?.host.name).toBe('official')
  expect(appScript).not.toContain('</')
})
