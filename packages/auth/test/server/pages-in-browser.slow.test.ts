import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { hasChromium, openChromium, type OpenChromium } from '../../../../test-support/chromium.ts'
import { takeLooks } from '../../../../test-support/page-walk.ts'
import { ask } from './harness.ts'
import { listenAuthServer, listenThirdParty, type Listening } from './listening.ts'

describe.skipIf(!hasChromium)('the pages in a browser', () => {
  let browser: OpenChromium
  let server: Listening
  let callback: string

  beforeAll(async () => {
    browser = await openChromium()
    const client = createServer((_, response) => response.end('<title>arrived</title>'))
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    const { port } = client.address() as AddressInfo // listening on an address, not a pipe
    callback = `http://127.0.0.1:${port}/callback`
    const clients = [{ clientId: 'tool', name: 'A Tool', redirectUris: [callback] }]
    server = await listenAuthServer({ clients })
    return async () => {
      client.closeAllConnections()
      await new Promise((resolve) => client.close(resolve))
    }
  })
  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  async function open(
    options: BrowserContextOptions = {},
    url = ask(server.issuer, { client_id: 'tool', redirect_uri: callback }).url,
  ): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (!message.text().includes('status of 403')) problems.push(message.text())
    })
    await page.goto(url)
    return { page, problems }
  }

  /** With nothing but a keyboard: the name has the focus when the page opens. */
  async function signInByKeyboard(page: Page): Promise<void> {
    await page.locator('#name:focus').waitFor()
    await page.keyboard.type('ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type('correct horse')
    await page.keyboard.press('Enter')
    await page.waitForSelector('button[value=allow]')
  }

  test('lead to the client with a keyboard alone and without script, and break no rule of theirs', async () => {
    const { page, problems } = await open({ javaScriptEnabled: false })

    await signInByKeyboard(page)
    await takeLooks(page, 'oauth-consent')
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Tab') // past the account and the no
    await page.keyboard.press('Enter')
    await page.waitForURL(`${callback}?*`)

    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
    expect(problems).toEqual([])
  })

  test('lead back with a no', async () => {
    const { page } = await open()
    await signInByKeyboard(page)

    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${callback}?*`)

    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test.each(['Allow', 'Deny'])(
    'lead by "%s" to a client that goes on to another origin, and break no rule of theirs',
    async (answer) => {
      const application = await listen((_, response) => response.end('<title>the app</title>'))
      const client = await listen((request, response) => {
        const { search } = new URL(request.url ?? '', 'http://localhost')
        response.writeHead(302, { location: `${application}/app${search}` }).end()
      })
      const redirectUri = `${client}/callback`
      const clients = [{ clientId: 'web', name: 'Web', redirectUris: [redirectUri] }]
      const issuing = await listenAuthServer({ clients })
      onTestFinished(() => issuing[Symbol.asyncDispose]())
      const { page, problems } = await open(
        { javaScriptEnabled: false },
        ask(issuing.issuer, { client_id: 'web', redirect_uri: redirectUri }).url,
      )
      await signInByKeyboard(page)

      await page.getByRole('button', { name: answer, exact: true }).click()
      await page.waitForURL(`${application}/app?*`)

      expect(new URL(page.url()).searchParams.has(answer === 'Allow' ? 'code' : 'error')).toBe(true)
      expect(await page.title()).toBe('the app')
      expect(problems).toEqual([])
    },
  )

  test('lead to a third party and back, without script', async () => {
    const clients = [{ clientId: 'tool', name: 'A Tool', redirectUris: [callback] }]
    const withThird = await listenThirdParty(clients)
    onTestFinished(() => withThird[Symbol.asyncDispose]())
    const context = await browser.newContext({ javaScriptEnabled: false })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(ask(withThird.issuer, { client_id: 'tool', redirect_uri: callback }).url)

    await page.getByRole('button', { name: 'Continue with Example' }).click()
    await page.getByRole('button', { name: 'Allow, and continue with Example' }).click()
    await signInByKeyboard(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Our Server')
    await page.getByRole('button', { name: 'Allow' }).first().click()
    await page.waitForURL(`${callback}?*`)

    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
  })

  test('have names and headings for who listens to them', async () => {
    const { page } = await open()

    expect(await page.title()).toContain('Sign in')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in')
    expect(await page.getByLabel('Name').getAttribute('autocomplete')).toBe('username')
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('wrong')
    expect(await page.title()).toMatch(/^Error: /)
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('A Tool')
    expect(await page.getByRole('note').textContent()).toContain('Be careful')
    expect(await page.getByRole('listitem').allTextContents()).toEqual(['read your notes'])
    // The name that was typed; addresses and ids only on demand.
    await page.getByText('Signed in as ada', { exact: true }).waitFor()
    expect(await page.getByText(callback).isVisible()).toBe(false)
    await page.getByText('Details').click()
    expect(await page.getByText(callback).isVisible()).toBe(true)
  })

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test('have enough contrast, and fit on a telephone', async () => {
      const { page } = await open({ colorScheme, viewport: { width: 320, height: 640 } })
      const ratios = [await contrasts(page)]
      await signInByKeyboard(page)
      ratios.push(await contrasts(page))
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )

      expect(Math.min(...ratios.flat())).toBeGreaterThanOrEqual(4.5)
      expect(overflow).toBe(0)
    })
  })

  test('attack: another site cannot frame them', async () => {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const url = ask(server.issuer, { client_id: 'tool', redirect_uri: callback }).url

    await page.goto(new URL(callback).origin)
    await page.setContent(`<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`)
    await page.waitForLoadState('networkidle')
    const texts = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.textContent('body')),
    )

    expect(texts).toHaveLength(1)
    expect(texts.join('')).not.toContain('Password')
  })
})

/** A site of its own, by the name that browsers take for another than the issuer's. */
async function listen(answer: RequestListener): Promise<string> {
  const http = createServer(answer)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  return `http://localhost:${port}`
}

/** Of every text on the page with what is behind it, as WCAG counts it. Runs in the page. */
const contrastScript = `
  (() => {
    const numbers = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
    const luminance = (color) => {
      const [red, green, blue] = numbers(color)
        .slice(0, 3)
        .map((value) => value / 255)
        .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element) => {
      for (let at = element; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at)
        if (numbers(backgroundColor)[3] !== 0) return backgroundColor
      }
      return 'rgb(255, 255, 255)'
    }
    return [...document.querySelectorAll('h1, h2, p, dt, dd, li, label, button, input')].map((element) => {
      const [one, other] = [luminance(getComputedStyle(element).color), luminance(behind(element))]
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    })
  })()
`

function contrasts(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(contrastScript)
}
