import { serveHttp, type HttpService } from '@parley/mcp/node'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { isThorough } from '../thorough.ts'
import { exits, leavings } from './hostile-pages.ts'
import { createHostileServer, type HostileServer } from './hostile-server.ts'
import { openLair, type Lair } from './lair.ts'

/** A page that shows apps of servers, and how a person uses it. */
export interface AppHost extends AsyncDisposable {
  readonly page: Page
  /** Calls a tool of the hostile server, so that its app is shown. */
  call(tool: string): Promise<void>
  /** The questions whether an app may call this tool. */
  questions(tool: string): Locator
  /** The buttons of such a question. */
  readonly once: string
  readonly refuse: string
  /** What an app is told when a person refuses its call. */
  readonly rejection: RegExp
  /** Whether a person is asked about a tool before it is found to be none for apps. */
  readonly asksFirst: boolean
}

/** What hosts are tested for by day. Each has a policy, an address of its sandbox and questions of its own; the frame is the same. */
interface AppAttackOptions {
  /** Whether the frame, which is shared, is tested in this host too. At night it is in all. */
  readonly withFrame: boolean
}

/** Open questions of an app beyond these are refused. */
const maxQuestions = 8

/**
 * What every host that shows apps must withstand. `open` gets the address of a server with hostile apps, which the page
 * has to know as `hostile`.
 */
export function describeAppAttacks(
  name: string,
  canOpen: boolean,
  open: (url: string) => Promise<AppHost>,
  { withFrame }: AppAttackOptions,
): void {
  const isWhole = withFrame || isThorough
  describe.skipIf(!canOpen)(`hostile apps in ${name}`, () => {
    let lair: Lair
    let hostile: HostileServer
    let served: HttpService
    let host: AppHost
    let address: string

    beforeAll(async () => {
      lair = await openLair()
      hostile = createHostileServer(lair.origin)
      served = await serveHttp(hostile.server, { port: 0, ownsProcess: false, drainMs: 0 })
      host = await open(served.url.href)
      address = host.page.url().split('#')[0] ?? ''
    })
    afterAll(async () => {
      await host[Symbol.asyncDispose]()
      await served.drain()
      await lair[Symbol.asyncDispose]()
    })

    /** Calls a tool, and gives the part of the page that is about its app. */
    async function show(tool: string): Promise<Locator> {
      await host.call(tool)
      const app = host.page.locator(`.app-frame[data-app="ui://hostile/${tool}"]`)
      await app.waitFor()
      return app
    }

    /** What the app shows inside of its two frames. */
    function words(app: Locator): Locator {
      return app.frameLocator('iframe').frameLocator('iframe').locator('p')
    }

    function question(): Locator {
      return host.questions('delete-all').first()
    }

    /** Nothing was called, nothing arrived but what was declared, and the page is where it was. */
    function expectNothingDone(arrived: readonly string[] = []): void {
      expect(lair.arrived).toEqual(arrived)
      expect(hostile.called).toEqual([])
      expect(host.page.url().split('#')[0]).toBe(address)
      expect(host.page.context().pages()).toHaveLength(1)
    }

    test(`nothing leaves by ${Object.keys(exits).join(', ')}`, async () => {
      const app = await show('exits')

      await expect
        .poll(async () => JSON.parse((await words(app).textContent()) ?? '') as unknown)
        .toEqual(exits)
      expectNothingDone()
    })

    test('a foreign page cannot show the sandbox', async () => {
      const sandbox = host.page
        .frames()
        .find((frame) => frame.parentFrame() === host.page.mainFrame())
      const foreign = await host.page.context().newPage()
      const before = lair.arrived.length
      await foreign.goto(`${lair.origin}/`)
      await foreign.evaluate(`{
        globalThis.heard = 0
        addEventListener('message', () => { heard += 1 })
        const frame = document.createElement('iframe')
        frame.src = ${JSON.stringify(sandbox?.url())}
        document.body.append(frame)
      }`)

      await expect.poll(() => foreign.frames().at(-1)?.url()).toMatch(/^chrome-error:/)
      expect(await foreign.evaluate('heard')).toBe(0)
      await foreign.close()
      lair.forget(before)
    })

    test.each(isWhole ? leavings : leavings.slice(0, 1))(
      'an app that leaves by %s is stopped',
      async (way) => {
        const app = await show(way)

        await app.getByText('The app was stopped').waitFor()
        expect(await app.textContent()).toContain('it tried to leave its page')
        expectNothingDone()
      },
    )

    test('no tool is called without a person, and a refusal is told', async () => {
      const app = await show('consent')
      await question().waitFor()
      expect(await words(app).textContent()).toBe('asked')

      await question().getByRole('button', { name: host.refuse, exact: true }).click()

      await expect.poll(() => words(app).textContent()).toMatch(host.rejection)
      expectNothingDone()
    })

    test('a tool that is not for apps is refused even with consent', async () => {
      const app = await show('hidden')
      const asked = host.questions('model-only')
      if (host.asksFirst) await asked.getByRole('button', { name: host.once }).click()

      await expect.poll(() => words(app).textContent()).toMatch(/model-only is not for apps$/)
      expect(await asked.count()).toBe(0)
      expectNothingDone()
    })

    test('links ask, with the whole address, and only those of the web are opened', async () => {
      const app = await show('links')
      const asked = app.getByRole('group', { name: /The app wants to open a page at 127/ })
      await asked.waitFor()
      expect(await asked.textContent()).toContain(`${lair.origin}/opened`)
      expect(JSON.parse((await words(app).textContent()) ?? '')).toEqual([
        expect.stringContaining('only http and https'),
        expect.stringContaining('only http and https'),
        expect.stringContaining('user name or password'),
      ])

      await asked.getByRole('button', { name: 'Refuse' }).click()

      await expect.poll(() => words(app).textContent()).toBe('Link opening denied by user')
      expectNothingDone()
    })

    test(`of thirty questions ${maxQuestions} are asked, one by one, until the app is closed`, async () => {
      const app = await show('questions')
      await question().waitFor()
      const refusedAtOnce = 30 - maxQuestions

      for (const refused of [refusedAtOnce, refusedAtOnce + 1]) {
        await expect.poll(() => words(app).textContent()).toBe(String(refused))
        expect(await host.questions('delete-all').count()).toBe(1)
        await question().getByRole('button', { name: host.refuse, exact: true }).click()
      }
      await expect.poll(() => words(app).textContent()).toBe(String(refusedAtOnce + 2))
      await question().waitFor()
      await app.getByRole('button', { name: 'Close the app' }).click()

      await app.getByText('The app is closed').waitFor()
      await expect.poll(() => host.questions('delete-all').count()).toBe(0)
      expectNothingDone()
    })

    test('what is declared works, is shown, and opens nothing else', async () => {
      const app = await show('declared')

      await expect.poll(() => words(app).textContent()).toBe('img-src')
      expect(await app.textContent()).toContain(`talks to ${lair.origin}`)
      expect(await app.textContent()).toContain('not granted: camera')
      expectNothingDone(['/declared'])
      lair.forget(0)
    })

    if (!isWhole) return

    test('an app sees nothing of the page around it, of other apps, or of storage', async () => {
      const app = await show('escape')
      await expect.poll(() => words(app).textContent()).toMatch(/^\{/)

      expect(JSON.parse((await words(app).textContent()) ?? '')).toEqual({
        storage: 'SecurityError',
        cookie: 'SecurityError',
        'parent document': 'SecurityError',
        'top document': 'SecurityError',
        'frame element': expect.stringMatching(/null|SecurityError/) as string,
        origin: 'null',
        alert: 'undefined',
        eval: 'EvalError',
        // Not stopped here: browsers that do not know `webrtc 'block'` have nothing else that would. docs/apps.md says so.
        'peer connection': 'new',
      })
    })

    test('an app cannot take the whole page', async () => {
      const frame = host.page.locator('.app-frame[data-app="ui://hostile/escape"] iframe')
      await expect.poll(() => frame.evaluate(({ clientHeight }) => clientHeight)).toBe(1_200)

      const box = await frame.boundingBox()
      expect(box?.width).toBeLessThanOrEqual(host.page.viewportSize()?.width ?? 0)
    })

    test('messages past the sandbox, in its name, or too large count for nothing', async () => {
      const app = await show('messages')

      await expect
        .poll(() => words(app).textContent())
        .toMatch(/^the message has \d+ characters, of 1048576$/)
      expect(await app.getByText('The app was stopped').count()).toBe(0)
      expect(await host.questions('delete-all').count()).toBe(0)
      expectNothingDone()
    })

    test.each([
      ['flood', 'it sent too many messages'],
      ['much', 'it sent too much'],
    ])('an app that sends a %s is stopped', async (tool, why) => {
      const app = await show(tool)

      await app.getByText('The app was stopped').waitFor()
      expect(await app.textContent()).toContain(why)
    })

    test('a declaration is not widened, and what is not allowed is shown', async () => {
      const app = await show('wide')

      await expect.poll(() => words(app).textContent()).toBe('connect-src img-src')
      expect(await app.textContent()).toContain('not allowed: *')
      expectNothingDone()
    })
  })
}
