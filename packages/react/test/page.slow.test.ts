import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { oauthGuard } from '@parley/auth/resource'
import { createDemoAuth } from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { describe, expect, onTestFinished, test } from 'vitest'

import { hasChromium, openChromium } from '../../../test-support/chromium.ts'
import { findFreePort } from '../../../test-support/free-port.ts'
import { bundleForPage } from '../../../test-support/page-bundle.ts'

/** Bundles the first program of the page, for another server. */
async function bundleProgram(server: URL) {
  const text = readFileSync(new URL('../../../docs/react.md', import.meta.url), 'utf8')
  const [, program = ''] = /```tsx\n([\s\S]*?)```/.exec(text) ?? []
  const folder = mkdtempSync(fileURLToPath(new URL('page-', import.meta.url))) // here, where packages are found
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'page.tsx')
  writeFileSync(file, program.replace('https://notes.example.com/mcp', server.href))
  return bundleForPage(file)
}

/** A site of its own, at another origin than the server. */
async function openSite() {
  const scripts = new Map<string, string>()
  const html =
    '<!doctype html><title>Notes</title><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'
  const http = createHttpServer(({ url = '/' }, response) => {
    const script = scripts.get(url)
    const type = script === undefined ? 'text/html; charset=utf-8' : 'text/javascript'
    response.writeHead(200, { 'content-type': type }).end(script ?? html)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  return {
    origin: `http://127.0.0.1:${port}`,
    async publish(server: URL) {
      for (const { fileName, code } of await bundleProgram(server))
        scripts.set(`/${fileName}`, code)
    },
  }
}

/** Notes that people have to sign in for. */
async function serveNotes(allowedOrigin: string) {
  const url = new URL(`http://localhost:${await findFreePort()}/mcp`)
  const { authServer, user, password } = await createDemoAuth({ url })
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, (_, { auth }) => String(auth?.claims['name']))
  const service = await serveHttp(server, {
    url,
    port: Number(url.port),
    ownsProcess: false,
    allowedOrigins: [allowedOrigin],
    auth: oauthGuard({ issuer: authServer }),
  })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return { url, user, password }
}

describe.skipIf(!hasChromium)('the program of docs/react.md, in Chromium', () => {
  test('a person signs in by its link, comes back to the page as it was, and calls a tool', async () => {
    const browser = await openChromium()
    onTestFinished(() => browser.close())
    const site = await openSite()
    const { url, user, password } = await serveNotes(site.origin)
    await site.publish(url)
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    const address = `${site.origin}/notes?filter=mine#top`

    await page.goto(address)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Name').fill(user)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('button', { name: 'who' }).click()
    await page.getByText('Demo User').waitFor()
    expect(page.url()).toBe(address)

    await page.reload() // still signed in, in this tab
    await page.getByRole('button', { name: 'who' }).click()
    await page.getByText('Demo User').waitFor()
    const history = await page.evaluate('[history.length, JSON.stringify(localStorage)]')
    expect(JSON.stringify(history)).not.toMatch(/code=|parley/)
    expect(problems).toEqual([])
  })
})
