import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { canOpen, inspectorForAll, openTab, pick } from '../page/open-inspector.ts'

const program = fileURLToPath(new URL('../page/fixtures/hostile-apps.mjs', import.meta.url))

describe.skipIf(!canOpen)('hostile apps', { timeout: 180_000 }, () => {
  /** What arrived where apps must not reach. */
  const arrived: string[] = []
  let lair: Server
  let page: Page

  beforeAll(async () => {
    lair = createServer((request, response) => {
      arrived.push(request.url ?? '')
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('<p>lair</p>')
    })
    lair.on('upgrade', (request, socket) => {
      arrived.push(request.url ?? '')
      socket.destroy()
    })
    lair.listen(0, '127.0.0.1')
    await once(lair, 'listening')
  })
  afterAll(() => void lair.close())

  function address(): string {
    return `http://127.0.0.1:${(lair.address() as AddressInfo).port}`
  }

  inspectorForAll(
    () => ({
      servers: [
        {
          name: 'hostile',
          entry: { command: execPath, args: [program, address()] },
          connect: true,
        },
      ],
    }),
    async (opened) => {
      page = await opened.newPage({ width: 1600, height: 1000 })
      await openTab(page, 'Tools')
    },
  )

  /** Runs a tool, and gives the frame of its app once the app has done its worst. */
  async function show(tool: string): Promise<FrameLocator> {
    arrived.length = 0
    await pick(page, 'tools', tool)
    await page.locator('[data-run]').click()
    await page.locator('.app-frame iframe').waitFor({ state: 'attached' })
    return page.frameLocator('.app-frame iframe').frameLocator('iframe')
  }

  async function said(tool: string, words: RegExp): Promise<string> {
    const view = await show(tool)
    const place = view.locator('p')
    await expect.poll(() => place.textContent()).toMatch(words)
    return String(await place.textContent())
  }

  function result() {
    return page.getByRole('region', { name: 'Result', exact: true })
  }

  /** A round trip of the page, and a moment: what was under way before has arrived by then. */
  async function settle(): Promise<void> {
    await pick(page, 'tools', 'rest')
    await page.locator('[data-run]').click()
    await result().getByText('rested').first().waitFor()
    await wait(300)
  }

  const exits = [
    'image',
    'fetch',
    'beacon',
    'socket',
    'event-source',
    'script',
    'style',
    'frame',
    'object',
    'worker',
    'popup',
    'base',
    'own-policy',
    'prefetch',
    'srcdoc-frame',
    'top-navigation',
    'parent-navigation',
    'top-link',
  ]

  test(`nothing leaves by ${exits.join(', ')}`, async () => {
    const before = page.url()
    const seen: string[] = []
    for (const name of exits) {
      await said(name, /^tried$/)
      seen.push(...arrived)
      expect(page.url().split('#')[0], name).toBe(before.split('#')[0])
    }

    await settle()
    expect([...seen, ...arrived]).toEqual([])
    expect(page.context().pages()).toHaveLength(1)
  })

  test.each(['navigation', 'link', 'refresh', 'form', 'form-button', 'download'])(
    'an app that leaves by %s is stopped',
    async (name) => {
      await show(name)

      await result().getByText('The app was stopped').waitFor()
      expect(await result().textContent()).toContain('it tried to leave its page')
      expect(arrived).toEqual([])
    },
  )

  test('an app sees nothing of the page around it, of other apps, or of storage', async () => {
    const tried = JSON.parse(await said('escape', /^\{/)) as Record<string, string>

    expect(tried).toEqual({
      storage: 'SecurityError',
      cookie: 'SecurityError',
      'parent document': 'SecurityError',
      'top document': 'SecurityError',
      'frame element': expect.stringMatching(/null|SecurityError/),
      origin: 'null',
      alert: 'undefined',
      eval: 'EvalError',
    })
  })

  test('no tool is called without a person, and a refusal is told', async () => {
    const view = await show('consent')
    const question = result().getByRole('group', { name: 'The app wants to call delete-all' })
    await question.waitFor()
    expect(await view.locator('p').textContent()).toBe('asked')

    await question.getByRole('button', { name: 'Refuse' }).click()

    await expect.poll(() => view.locator('p').textContent()).toBe('Tool call denied by user')
    await settle()
    expect(arrived).toEqual([])
  })

  test('a tool that is not for apps is refused even with consent', async () => {
    const view = await show('hidden')
    await result().getByRole('button', { name: 'Call once' }).click()

    await expect.poll(() => view.locator('p').textContent()).toBe('model-only is not for apps')
  })

  test('links ask, with the whole address', async () => {
    const view = await show('links')
    const question = result().getByRole('group', { name: /The app wants to open a page at 127/ })
    expect(await question.textContent()).toContain(`${address()}/opened`)
    await question.getByRole('button', { name: 'Refuse' }).click()

    await expect.poll(() => view.locator('p').textContent()).toBe('Link opening denied by user')
    expect(arrived).toEqual([])
    expect(await said('bad-links', /Invalid/)).toContain('only http and https')
  })

  test('messages past the sandbox, or in its name, count for nothing', async () => {
    const text = await said('as-host', /^tried$/)

    expect(text).toBe('tried')
    expect(await result().getByText('The app wants').count()).toBe(0)
    expect(await result().getByText('The app was stopped').count()).toBe(0)
    await settle()
    expect(arrived).toEqual([])
  })

  test.each([
    ['flood', 'it sent too many messages'],
    ['much', 'it sent too much'],
  ])('an app that sends a %s is stopped', async (name, why) => {
    await show(name)

    await result().getByText('The app was stopped').waitFor()
    expect(await result().textContent()).toContain(why)
  })

  test('a giant message is refused, and odd ones are ignored', async () => {
    expect(await said('giant', /characters/)).toContain('of 1048576')
    expect(await said('odd-messages', /^tried$/)).toBe('tried')
    expect(await result().getByText('The app was stopped').count()).toBe(0)
  })

  test('thirty questions at once are one sheet, and those beyond eight are refused', async () => {
    await show('questions')
    const question = result().getByRole('group', { name: 'The app wants to call delete-all' })
    await question.waitFor()

    let answered = 0
    for (; (await question.count()) > 0; answered += 1) {
      expect(await question.count()).toBe(1)
      await question.getByRole('button', { name: 'Refuse' }).click()
    }
    expect(answered).toBeLessThanOrEqual(8)
  })

  test('an app cannot take the whole page', async () => {
    await said('huge', /^tried$/)

    const box = await page.locator('.app-frame iframe').boundingBox()
    expect(box?.height).toBeLessThanOrEqual(1210)
    expect(box?.width).toBeLessThanOrEqual(1600)
  })

  test('a declaration is not widened, and what is not allowed is shown', async () => {
    await said('wide', /^tried$/)
    await settle()

    expect(arrived).toEqual([])
    await pick(page, 'tools', 'wide')
    expect(await result().textContent()).toContain('not allowed: *')
  })

  test('what is declared works, is shown, and opens nothing else', async () => {
    await said('declared', /^tried$/)

    expect(await result().textContent()).toContain(`talks to ${address()}`)
    expect(await result().textContent()).toContain('not granted: camera')
    await settle()
    expect(arrived).toEqual(['/declared'])
  })

  test('a foreign page cannot show the sandbox, nor speak through it', async () => {
    await said('escape', /^\{/)
    const sandbox = page.frames().find((frame) => frame.parentFrame() === page.mainFrame())
    const foreign = await page.context().newPage()
    await foreign.goto(`${address()}/`)

    const words = await foreign.evaluate(`new Promise((resolve) => {
      addEventListener('message', () => resolve('spoke'))
      const frame = document.createElement('iframe')
      frame.addEventListener('load', () => setTimeout(() => resolve('silent'), 500))
      frame.src = ${JSON.stringify(sandbox?.url())}
      document.body.append(frame)
    })`)
    await foreign.close()

    expect(words).toBe('silent')
  })
})
