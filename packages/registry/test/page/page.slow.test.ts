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

  test('orders what it found, and the address says how', async () => {
    await open()
    const names = () => results().locator('strong').allTextContents()
    await expect.poll(names).toHaveLength(4)
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name')
    await expect.poll(names).toEqual(['Maps', 'Tickets', 'Weather', 'Library catalogue']) // by the names below: com, com, io, org
    expect(new URL(page.url()).search).toBe('?sort=name')
    expect(await page.getByRole('searchbox').getAttribute('placeholder')).toBe('Search 4 servers')
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
    const products = install.getByRole('radiogroup', { name: 'Product' })
    await install.getByText(/^claude mcp add weather/).waitFor()
    await install.getByRole('button', { name: 'Copy the command of Claude Code' }).waitFor()
    await install.getByText('From your account page').waitFor()
    await install.getByText('Configuration as JSON').click()
    await install.getByText('"mcpServers"').waitFor()
    await install.getByText(/^parley add .* --client claude --use/).waitFor()
    const named = await install.locator('code', { hasText: 'WEATHER_KEY' }).count()
    expect(named).toBe(1) // outside of the folded part, which has no such element

    await products.getByText('VS Code').click()
    const link = install.getByRole('link', { name: 'Install in VS Code' })
    expect(await link.getAttribute('href')).toMatch(/^vscode:mcp\/install\?%7B/)
    await install.getByText('"inputs"').waitFor()
    expect(new URL(page.url()).searchParams.get('client')).toBe('vscode')
    await install.getByRole('radiogroup', { name: 'Which package' }).getByText('Remote').click()
    await install.getByText('Comes from the address https://weather.example.org/mcp.').waitFor()
    await install.getByRole('button', { name: 'Open in Inspector' }).click()
    await page.getByText('npx @parley/cli inspect https://weather.example.org/mcp').waitFor()
    await page.keyboard.press('Escape')
    await open('?server=io.github.ada%2Fweather') // remembers the product
    await install.getByRole('link', { name: 'Install in VS Code' }).waitFor()

    const targets = card('Packages and remotes')
    await targets.getByText('@ada/weather@1.1.0').waitFor()
    const remote = targets.getByRole('link')
    expect(await remote.getAttribute('href')).toBe('https://weather.example.org/mcp')
    expect(await remote.getAttribute('rel')).toContain('noopener')
    await card('More').getByText('io.modelcontextprotocol.registry/publisher-provided').waitFor()
    await card('Publisher').getByText('Publisher unverified: the entry was imported').waitFor()
    await card('Publisher').getByRole('link', { name: 'io.github.ada' }).click()
    await expect.poll(() => results().count()).toBe(1)
  })

  test('shows each version with its status, and what changed between two', async () => {
    await open('?server=io.github.ada%2Fweather')
    const differences = card('Differences')
    await differences.getByText('From 1.0.0 to 1.1.0').waitFor()
    await differences.getByText('Forecasts and warnings for any place').waitFor()

    await card('Versions').getByRole('link', { name: '1.0.0' }).click()
    await card('Install').getByText('the package @ada/weather 1.0.0').waitFor()
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
    await card('Install').getByText('Comes from').waitFor()
    await walk.look('entry', 'large and small')
    for (const shown of [
      card('Install').getByRole('link', { name: 'Install in VS Code' }),
      page.getByText('Publisher unverified').first(),
    ]) {
      const box = await shown.boundingBox()
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(900)
    }
    await page.getByRole('button', { name: 'Publish a server' }).click()
    await page.getByText('npx @parley/cli registry init').waitFor()
    await walk.look('publish', 'large and small')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
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
