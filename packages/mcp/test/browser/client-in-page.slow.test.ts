import { serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { hasChromium, openChromium, type OpenChromium } from '../../../../test-support/chromium.ts'
import type * as client from '../../src/entry/client.ts'
import { servePage, type PageServer } from './page-server.ts'

/** The client, as the page has it. Functions given to `evaluate` run there, and see nothing of this file. */
declare const parley: typeof client

describe.skipIf(!hasChromium)('in a web page', () => {
  let browser: OpenChromium
  let site: PageServer

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openChromium(), servePage()])
  })
  afterAll(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
  })

  async function openPage(origin: string): Promise<Page> {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(origin)
    await page.waitForFunction('globalThis.parley')
    return page
  }

  /** At another origin than the page: its port differs. */
  async function serve(options: ServeHttpOptions = {}): Promise<Record<Way, string>> {
    const service = await serveHttp(createSample(), {
      port: 0,
      websocket: true,
      ownsProcess: false,
      ...options,
    })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    const { href } = service.url
    return { http: href, websocket: href.replace('http:', 'ws:') }
  }

  describe.each(['http', 'websocket'] as const)('over %s', (way) => {
    test('calls a tool of a server at another origin that names the origin of the page', async () => {
      const urls = await serve({ allowedOrigins: [site.origins.name] })
      const page = await openPage(site.origins.name)

      const received = await page.evaluate(async (url) => {
        const client = await parley.connect(url)
        const result = await client.callTool('greet', { name: 'page' })
        await client.close()
        return { result, transport: client.negotiated.transport }
      }, urls[way])

      expect(received).toEqual({
        result: { content: [{ type: 'text', text: 'hello, page' }] },
        transport: way,
      })
    })

    test('hears progress while the call still runs, and can act on it', async () => {
      const urls = await serve({ allowedOrigins: [site.origins.address] })
      const page = await openPage(site.origins.address)

      const received = await page.evaluate(async (url) => {
        const client = await parley.connect(url)
        const steps: number[] = []
        const result = await client.callTool(
          'wait',
          {},
          {
            onProgress({ progress }) {
              steps.push(progress)
              if (progress === 1) void client.callTool('release')
            },
          },
        )
        await client.close()
        return [...steps, parley.toolOutput(result)]
      }, urls[way])

      expect(received).toEqual([1, 2, 'released'])
    })

    test('hears that the tools have changed', async () => {
      const urls = await serve({ allowedOrigins: [site.origins.address] })
      const page = await openPage(site.origins.address)

      const received = await page.evaluate(async (url) => {
        const client = await parley.connect(url)
        const subscription = await client.listen({ toolsListChanged: true })
        await client.callTool('grow')
        const { value } = await subscription[Symbol.asyncIterator]().next()
        await client.close()
        return value
      }, urls[way])

      expect(received).toEqual({ type: 'tools' })
    })

    test('answers a question of the server', async () => {
      const urls = await serve({ allowedOrigins: [site.origins.address] })
      const page = await openPage(site.origins.address)

      const received = await page.evaluate(async (url) => {
        const client = await parley.connect(url, {
          elicit: ({ message }) => ({
            action: 'accept',
            content: { name: `page, asked ${message}` },
          }),
        })
        const result = await client.callTool('ask')
        await client.close()
        return parley.toolOutput(result)
      }, urls[way])

      expect(received).toBe('page, asked name?')
    })

    test('says what to do when the server does not name the origin of the page', async () => {
      const urls = await serve({ allowedOrigins: ['https://app.example'] })
      const page = await openPage(site.origins.name)

      const error = await page.evaluate(failure, urls[way])

      expect(error).toMatchObject({
        code: way === 'http' ? 'connection_lost' : 'unreachable',
        message: expect.stringContaining(`does not allow pages of ${site.origins.name}`),
        hint: expect.stringContaining(`allowedOrigins: ['${site.origins.name}']`),
      })
    })
  })

  test('a page of this machine is not served over HTTP either unless it is named', async () => {
    const urls = await serve()
    const page = await openPage(site.origins.address)

    const error = await page.evaluate(failure, urls.http)

    expect(error).toMatchObject({
      hint: expect.stringContaining(`allowedOrigins: ['${site.origins.address}']`),
    })
  })

  test('a command cannot be started, which is said', async () => {
    const page = await openPage(site.origins.address)

    const error = await page.evaluate(failure, { command: 'node' })

    expect(error).toMatchObject({
      code: 'unsupported_runtime',
      message: expect.stringContaining('node'),
    })
  })
})

type Way = 'http' | 'websocket'

/** In the page: what is known about why connecting fails. Errors do not cross to the test whole. */
function failure(target: string | { readonly command: string }): Promise<object> {
  return parley.connect(target).then(
    () => ({ code: 'connected' }),
    ({ code, message, hint }) => ({ code, message, hint }),
  )
}

function createSample() {
  const server = createServer({ name: 'sample', version: '1.0.0' })
  const inputSchema = z.object({ name: z.string() })
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))

  server.tool('greet', { inputSchema }, ({ name }) => `hello, ${name}`)
  server.tool('ask', {}, async (_, context) => {
    const answer = await context.elicit({ message: 'name?', requestedSchema: inputSchema })
    return answer.action === 'accept' ? answer.content.name : answer.action
  })
  server.tool('wait', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    await released
    await context.progress({ progress: 2 })
    return 'released'
  })
  server.tool('release', {}, () => release())
  server.tool('grow', {}, () => void server.tool('another', {}, () => 'new'))
  return server
}
