import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { walkThrough } from '../../../../test-support/page-walk.ts'
import { canOpen, servePage, type ServedPage } from './served-page.ts'

describe.skipIf(!canOpen)("the registry's page", () => {
  let served: ServedPage
  let page: Page
  beforeAll(async () => {
    served = await servePage()
    page = await served.newPage()
  })
  afterAll(() => served[Symbol.asyncDispose](), 120_000)

  /** Loads the page anew; `path` begins with `?`. */
  const open = (path = '') => page.goto(new URL(path, served.url).href)
  const results = (shown = page) => shown.getByRole('list', { name: 'Servers' }).getByRole('link')
  const card = (name: string) => page.getByRole('region', { name, exact: true })

  test('finds servers by the beginning of a word, and says how many', async () => {
    await expect.poll(() => results().count()).toBe(4)

    await page.getByRole('searchbox', { name: 'Search servers' }).fill('fore')
    await expect.poll(() => results().count()).toBe(1)
    await page.getByText('1 server', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=fore')
    expect(await results().first().textContent()).toContain('io.github.ada/weather')
  })

  test('narrows down by facets, and the address shows the same to others', async () => {
    await open()
    await page.getByRole('group', { name: 'Package' }).getByRole('button', { name: /^oci/ }).click()
    await expect.poll(() => results().count()).toBe(1)

    const other = await served.newPage(new URL(page.url()).search)
    await results(other).getByText('Tickets', { exact: true }).waitFor()
    expect(await results(other).count()).toBe(1)
    const picked = other.getByRole('button', { name: /^oci/ })
    expect(await picked.getAttribute('aria-pressed')).toBe('true')
    await picked.click()
    await expect.poll(() => results(other).count()).toBe(4)
  })

  test('works by keyboard: search, walk, open, back, list of keys', async () => {
    await open()
    const { keyboard } = page
    await results().first().waitFor()

    await keyboard.press('/')
    await keyboard.type('maps')
    await expect.poll(() => results().count()).toBe(1)
    await keyboard.press('Escape')
    await expect.poll(() => results().count()).toBe(4)
    await keyboard.press('ArrowDown')
    await keyboard.press('j')
    const second = await results().nth(1).getAttribute('href')
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(second)
    await keyboard.press('Enter')
    await page.getByRole('article').waitFor()
    await page.goBack()
    await expect.poll(() => results().count()).toBe(4)

    await results().first().focus()
    await keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const first = await results().first().getAttribute('href')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("href")'))
      .toBe(first)
  })

  test('shows an entry: install snippets of each product, packages, remotes, publisher, more', async () => {
    await open('?server=io.github.ada%2Fweather')
    const install = card('Install')
    await install.getByText('parley add io.github.ada/weather@1.1.0 --use').first().waitFor()
    await install.getByText('As an entry of the configuration file').first().click()
    await install.getByText('"mcpServers"').first().waitFor()
    await install.getByText('From your account page', { exact: true }).waitFor()

    await install.getByRole('radiogroup', { name: 'Product' }).getByText('VS Code').click()
    await install.getByText('--client vscode').first().waitFor()
    const link = install.getByRole('link', { name: 'Install in VS Code' }).first()
    expect(await link.getAttribute('href')).toMatch(/^vscode:mcp\/install\?%7B/)
    await install.getByText('"inputs"').first().waitFor()
    await install.getByRole('radiogroup', { name: 'Product' }).getByText('Claude Code').click()
    await install
      .getByText(/^claude mcp add weather/)
      .first()
      .waitFor()
    await install.getByRole('radiogroup', { name: 'Product' }).getByText('VS Code').click()
    await install.getByText('--client vscode').first().waitFor()
    expect(new URL(page.url()).searchParams.get('client')).toBe('vscode')

    await card('Packages').getByText('@ada/weather@1.1.0').waitFor()
    const remote = card('Remotes').getByRole('link')
    expect(await remote.getAttribute('href')).toBe('https://weather.example.org/mcp')
    expect(await remote.getAttribute('rel')).toContain('noopener')
    await card('More').getByText('io.modelcontextprotocol.registry/publisher-provided').waitFor()
    await card('Publisher').getByRole('link', { name: 'io.github.ada' }).click()
    await expect.poll(() => results().count()).toBe(1)
  })

  test('shows each version with its status, and what changed between two', async () => {
    await open('?server=io.github.ada%2Fweather')
    const differences = card('Differences')
    await differences.getByText('From 1.0.0 to 1.1.0').waitFor()
    await differences.getByText('Forecasts and warnings for any place').waitFor()

    await card('Versions').getByRole('link', { name: '1.0.0' }).click()
    await card('Install').getByText('weather@1.0.0').first().waitFor()
    await differences.getByText('From 1.1.0 to 1.0.0').waitFor()
    expect(new URL(page.url()).searchParams.get('version')).toBe('1.0.0')
  })

  test('says what is wrong: no match, no such server, no such version, no answer', async () => {
    await open('?server=com.example%2Fnone')
    await page.getByText('There is no server com.example/none.').waitFor()
    await open('?server=com.example%2Fmaps&version=9.9.9')
    await page.getByText('There is no version 9.9.9').waitFor()
    await open('?q=nothing-of-this-kind')
    await page.getByText('No server matches').waitFor()
    await page.getByRole('button', { name: 'Show all servers' }).click()
    await expect.poll(() => results().count()).toBe(4)

    await page.route('**/v0.1/**', (route) => route.abort())
    await page.getByRole('searchbox').fill('weather')
    await page.getByText('The registry does not answer.').waitFor()
    await page.unroute('**/v0.1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => results().count()).toBe(1)
    served.complaints.length = 0 // the browser wrote down the answers that were refused
  })

  test('neither the search nor an entry nor an error is wider than the window, no text is tiny or cut, and nobody is kept out', async () => {
    const walk = walkThrough(page, 'registry', { isDocument: true })
    await open()
    await results().first().waitFor()
    await walk.look('home', 'large and small')
    await open('?server=io.github.ada%2Fweather')
    await card('Install')
      .getByText('parley add io.github.ada/weather@1.1.0 --use')
      .first()
      .waitFor()
    await walk.look('entry', 'large and small')
    await open('?server=com.example%2Fnone')
    await page.getByText('It cannot be shown').waitFor()
    await walk.look('error', 'large and small')
    served.complaints.length = 0 // a server that is not there is a 404
  })

  test('asks nobody but its registry', async () => {
    served.complaints.length = 0
    await open('?server=io.github.ada%2Fweather')
    await page.getByRole('article').waitFor()
    expect([...served.origins]).toEqual([served.url.origin])
    expect(served.complaints).toEqual([])
  })
})

describe('where the page is served', () => {
  test('by a strict policy, with its assets for good, and the API as before', async () => {
    await using served = await servePage()
    const page = await fetch(served.url)
    expect(page.status).toBe(200)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    const [asset = ''] = /assets\/[\w.-]+\.js/.exec(await page.text()) ?? []
    const script = await fetch(new URL(asset, served.url))
    expect(script.headers.get('cache-control')).toContain('immutable')
    const again = await fetch(new URL(asset, served.url), {
      headers: { 'if-none-match': script.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    await again.body?.cancel()

    const api = await fetch(new URL('/v0.1/servers?limit=1', served.url))
    expect(api.headers.get('content-type')).toBe('application/json')
    for (const path of [
      '/assets/../../package.json',
      '/assets/%2e%2e/index.html',
      '/package.json',
    ]) {
      expect((await fetch(new URL(served.url.origin + path))).status).toBe(404)
    }
  })
})
