import { supportedRevisions } from '@parley/mcp'
import {
  type AppConfig,
  appLinkOf,
  appTool,
  clientApps,
  defineApp,
  isToolFor,
  readApp,
  serverApps,
  showsApps,
} from '@parley/mcp/apps'
import { createServer, defineResource, defineTool, toolResult } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const uri = 'ui://shop/cart'
const html = '<!doctype html><title>Cart</title>'
const cart = z.object({ items: z.number() })
const showCart = defineTool('show-cart', { outputSchema: cart }, () => ({ items: 3 }))
const emptyCart = defineTool('empty-cart', { outputSchema: cart }, () => ({ items: 0 }))

function shop(more: Partial<AppConfig> = {}) {
  const app = defineApp({
    uri,
    title: 'Cart',
    html,
    csp: { connectDomains: ['https://api.example.com'] },
    permissions: { clipboardWrite: {} },
    prefersBorder: true,
    tools: [
      appTool(showCart, { text: ({ items }) => `${items} items` }),
      appTool(emptyCart, { visibility: ['app'] }),
    ],
    ...more,
  })
  return createServer({ name: 'shop', version: '1.0.0', extensions: [serverApps(app)] })
}

test.each(supportedRevisions.filter((revision) => revision >= '2025-06-18'))(
  'a tool names its page, and the page says what it may reach, in %s',
  async (revision) => {
    await using client = await createTestClient(shop(), {
      revision,
      extensions: [clientApps()],
    })

    const tools = await client.listTools().toArray()
    const [listed] = await client.listResources().toArray()
    const page = await readApp(client, uri)

    expect(tools.map(appLinkOf)).toEqual([
      { resourceUri: uri, visibility: ['model', 'app'] },
      { resourceUri: uri, visibility: ['app'] },
    ])
    expect(tools.map((tool) => isToolFor('model', tool))).toEqual([true, false])
    expect(listed).toMatchObject({ uri, title: 'Cart', mimeType: 'text/html;profile=mcp-app' })
    expect(listed?._meta).toMatchObject({ ui: { prefersBorder: true } })
    expect(page).toEqual({
      uri,
      html,
      csp: {
        connectDomains: ['https://api.example.com'],
        resourceDomains: [],
        frameDomains: [],
        baseUriDomains: [],
      },
      rejected: [],
      permissions: { clipboardWrite: {} },
      prefersBorder: true,
    })
  },
)

test('both sides declare the extension, with the type of pages', async () => {
  await using client = await createTestClient(shop(), { extensions: [clientApps()] })

  const declared = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
  expect(client.server.capabilities.extensions).toMatchObject(declared)
  expect(client.capabilities.extensions).toMatchObject(declared)
})

test.each(supportedRevisions)(
  'a client without apps reads words, and does not see tools for pages, in %s',
  async (revision) => {
    await using client = await createTestClient(shop(), { revision })

    const tools = await client.listTools().toArray()
    const { content } = await client.callTool('show-cart')
    const hidden = client.callTool('empty-cart')

    expect(tools.map(({ name }) => name)).toEqual(['show-cart'])
    expect(content[0]).toEqual({ type: 'text', text: '3 items' })
    await expect(hidden).rejects.toMatchObject({ code: 'invalid_params' })
  },
)

test('a result that a handler wrote itself keeps its words', async () => {
  const own = defineTool('own', { outputSchema: cart }, () =>
    toolResult({ structuredContent: { items: 1 }, content: ['one, as I said'] }),
  )
  await using client = await createTestClient(
    shop({ tools: [appTool(own, { text: () => 'other' })] }),
  )

  const { content } = await client.callTool('own')

  expect(content).toEqual([{ type: 'text', text: 'one, as I said' }])
})

test('a handler can ask whether its caller shows apps', async () => {
  const asks = defineTool('asks', {}, (_, context) => String(showsApps(context)))
  const server = createServer({ name: 'asks', version: '1.0.0', features: [asks] })
  await using plain = await createTestClient(server)
  await using showing = await createTestClient(server, { extensions: [clientApps()] })

  expect((await plain.callTool('asks')).content).toMatchObject([{ text: 'false' }])
  expect((await showing.callTool('asks')).content).toMatchObject([{ text: 'true' }])
})

test('a page can be made when it is read', async () => {
  let reads = 0
  const server = shop({ html: () => `<!doctype html>${(reads += 1)}` })
  await using client = await createTestClient(server, { cache: false })

  expect((await readApp(client, uri)).html).toBe('<!doctype html>1')
  expect((await readApp(client, uri)).html).toBe('<!doctype html>2')
})

test.each<[string, Partial<AppConfig>, string]>([
  ['a URI of another scheme', { uri: 'https://example.com' }, 'begins with ui://'],
  ['a path instead of a page', { html: './cart.html' }, 'not a path'],
  ['an origin with a path', { csp: { connectDomains: ['https://a.com/x'] } }, 'connectDomains'],
  ['every origin', { csp: { resourceDomains: ['*'] } }, 'resourceDomains'],
  ['an unknown permission', { permissions: { usb: {} } as never }, 'unknown permission usb'],
  [
    'a tool for nobody',
    { tools: [appTool(showCart, { visibility: [] })] },
    'neither a model nor an app may call',
  ],
  ['what is not a tool', { tools: [defineResource('note://1', {}, () => 'x')] }, 'is not a tool'],
])('refuses %s', (_, change, why) => {
  expect(() => shop(change)).toThrow(why)
})

test.each([
  ['another type', { mimeType: 'text/html', text: html }, 'its type is text/html'],
  ['no type', { text: html }, 'its type is'],
  ['bytes that are not text', { mimeType: 'text/html;profile=mcp-app', blob: '//79' }, 'base64'],
])('readApp refuses a resource with %s', async (_, contents, why) => {
  const server = createServer({ name: 'odd', version: '1.0.0' })
  server.resource(uri, {}, () => contents)
  await using client = await createTestClient(server)

  await expect(readApp(client, uri)).rejects.toThrow(why)
})

test('readApp takes a page in base64, and reads nothing at other addresses', async () => {
  const server = createServer({ name: 'odd', version: '1.0.0' })
  const blob = Buffer.from('<p>Grüße</p>').toString('base64')
  server.resource(uri, {}, () => ({ mimeType: 'text/html; profile="mcp-app"', blob }))
  await using client = await createTestClient(server)

  expect((await readApp(client, uri)).html).toBe('<p>Grüße</p>')
  await expect(readApp(client, 'file:///etc/passwd')).rejects.toThrow('does not begin with ui://')
})

test('tools of earlier drafts are understood, and odd ones are none', () => {
  expect(appLinkOf({ _meta: { 'ui/resourceUri': uri } })?.resourceUri).toBe(uri)
  expect(appLinkOf({ _meta: { ui: { resourceUri: 'https://example.com' } } })).toBeUndefined()
  expect(appLinkOf({ _meta: { ui: 7 } })).toBeUndefined()
  expect(appLinkOf({})).toBeUndefined()
  expect(isToolFor('app', {})).toBe(true)
})
