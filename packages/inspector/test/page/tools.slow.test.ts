import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { textIn } from '../../../../test-support/element-state.ts'
import {
  canOpen,
  everythingEntry,
  field,
  inspectorForAll,
  openTab,
  openTool,
  serveEverything,
  stubbornEntry,
} from './open-inspector.ts'

describe.skipIf(!canOpen)('tools in the page', () => {
  let http: Awaited<ReturnType<typeof serveEverything>>
  let page: Page
  beforeAll(async () => {
    http = await serveEverything()
    return () => http[Symbol.asyncDispose]()
  })
  const inspector = inspectorForAll(
    () => ({
      servers: [
        { name: 'everything', entry: everythingEntry, connect: true },
        { name: 'over-http', entry: { url: http.url }, connect: true },
        { name: 'stubborn', entry: stubbornEntry, connect: true },
      ],
    }),
    async (opened) => {
      page = await opened.newPage()
    },
  )

  test.each(['everything', 'over-http'])(
    'lists tools of %s, fills one in and shows what it answers [INSP-06, TUI-13]',
    async (server) => {
      await openTool(page, 'echo', server)

      await field(page, /^message/).fill('hello there')
      await page.keyboard.press('Control+Enter')

      await page.getByText('Echo: hello there').waitFor()
      expect(await page.getByText('Answered', { exact: true }).isVisible()).toBe(true)
    },
  )

  test('what is no value is held back and shown, not left out [TUI-01]', async () => {
    await openTool(page, 'get-sum', 'everything')
    await field(page, /^b\b/).fill('1')
    for (const [text, why] of [
      ['12x', 'not a number'],
      ['9007199254740993', 'too long to be sent exactly'],
    ] as const) {
      await field(page, /^a\b/).fill(text)
      await page.getByRole('button', { name: 'Run', exact: true }).click()

      await page.getByText('Nothing was sent').first().waitFor()
      expect(await page.getByText(why).isVisible()).toBe(true)
    }
    await expect.poll(() => page.getByText('Answered', { exact: true }).count()).toBe(0)

    await field(page, /^a\b/).fill('1763249000123')
    await page.keyboard.press('ArrowUp')
    expect(await field(page, /^a\b/).inputValue()).toBe('1763249000124')
    await page.getByRole('button', { name: 'Clear' }).click()
  })

  test('form and JSON are two views of one value', async () => {
    await openTool(page, 'get-sum', 'everything')

    await field(page, /^a\b/).fill('19')
    await field(page, /^b\b/).fill('23')
    await page.getByText('JSON', { exact: true }).click()
    const json = page.getByLabel('Arguments of get-sum as JSON')
    await json.waitFor()
    const shown = await textIn(json)
    await page.getByRole('button', { name: 'Run', exact: true }).click()

    await page.getByText('The sum of 19 and 23 is 42.').waitFor()
    expect(shown.replaceAll(/\s/g, '')).toBe('{"a":19,"b":23}')
  })

  test('shows progress with a part, and stops when asked to [OBS-01, OBS-02, TUI-14, CANC-11]', async () => {
    await openTool(page, 'trigger-long-running-operation', 'everything')

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('20 %').first().waitFor()
    await page.getByText(/about .* left/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByText('cancelled', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isVisible()).toBe(true)
  })

  test('keeps an answer that comes after cancellation, and says that it is late', async () => {
    await openTool(page, 'stubborn', 'stubborn')

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByText('This answer arrived after the call was cancelled').waitFor()
    await page.getByText('too late').waitFor()
  })

  test('points at the fault of output that breaks its schema, and makes a table of rows [TUI-11, TUI-12]', async () => {
    await openTool(page, 'wrong-output', 'stubborn')

    await page.getByRole('button', { name: 'Run', exact: true }).click()

    await page.getByText("does not match the tool's output schema").waitFor()
    expect(await page.locator('.issues').textContent()).toContain('/items/1/count')
    expect(await page.getByRole('cell', { name: 'second' }).isVisible()).toBe(true)
  })

  test('runs a tool many times and sums up', async () => {
    await openTool(page, 'get-sum', 'everything')
    await page.getByRole('button', { name: 'Example' }).click()

    await page.getByRole('textbox', { name: 'How many times' }).fill('5')
    await page.getByRole('button', { name: 'Run', exact: true }).click()

    await page.getByText('5 of 5').waitFor()
  })

  test('shows a picture, and what annotations claim [TUI-08, TUI-11, TRUST-08]', async () => {
    await openTool(page, 'get-tiny-image', 'everything')
    await page.getByRole('button', { name: 'Run', exact: true }).click()

    const picture = page.getByRole('img', { name: /image\/png/ })
    await picture.waitFor()

    expect(await picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBe(
      20,
    )
    // Those of the list that are none say so, in words that hold these.
    const call = page.locator('#tool-call')
    expect(await call.getByText('read-only', { exact: true }).isVisible()).toBe(true)
  })

  test('what a server sends is data: no markup, no script, no link but http, nothing loaded', async () => {
    await openTool(page, 'markup', 'stubborn')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const link = page.getByRole('link', { name: /example\.com\/path/ })
    await link.waitFor()

    expect(await link.getAttribute('rel')).toContain('noreferrer')
    expect(await link.locator('strong').textContent()).toBe('example.com')
    await expect.poll(() => page.locator('a[href^="javascript"]').count()).toBe(0)
    await page.getByRole('img', { name: /svg/ }).waitFor()
    await openTab(page, 'Overview')
    await page.getByRole('region', { name: 'Instructions' }).getByText('<script>').waitFor()
    expect(await page.evaluate('window.isPwned')).toBeUndefined()
    expect(
      [...inspector.origins].filter((origin) => origin !== new URL(inspector.url).origin),
    ).toEqual([])
  })

  test('a long text is cut, and the rest is shown when asked for [RUI-08]', async () => {
    await openTool(page, 'long', 'stubborn')
    await page.getByRole('button', { name: 'Run', exact: true }).click()

    await page.getByRole('button', { name: /^Show more/ }).click()

    await page.getByText('the end').waitFor()
  })

  test('no page complained: no error of a script, no refusal of the content policy', () => {
    expect(inspector.complaints).toEqual([])
  })
})
