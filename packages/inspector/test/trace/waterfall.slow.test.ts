import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { toldTrace } from '../../../../test-support/told-trace.ts'
import { canOpen, connected, inspectorForAll, openTrace } from '../page/open-inspector.ts'

/** What the SDK of OpenTelemetry exports; written by the tests of `@parley/telemetry`. */
const spans = new URL('fixtures/one-trace.otlp.jsonl', import.meta.url)
const program = fileURLToPath(new URL('fixtures/flood-server.mjs', import.meta.url))

describe.skipIf(!canOpen)('where time went', () => {
  let page: Page
  const inspector = inspectorForAll({ servers: [connected('flood', program)] }, async (opened) => {
    page = await opened.newPage({
      permissions: ['clipboard-read', 'clipboard-write'],
      trace: true,
    })
    await page.getByText('Ready').first().waitFor()
    await openTrace(page)
    await openTold(page)
  })

  test('idle time is a row of the table, and folded in the waterfall until told otherwise', async () => {
    const gaps = page.locator('.trace-gap')
    expect(await gaps.first().textContent()).toContain('12.4 s idle')
    await expect.poll(() => gaps.count()).toBe(2)
    const folded = await axis(page)

    await page.getByRole('button', { name: 'Show idle time as long as it was' }).click()
    await page.locator('.trace-axis', { hasText: /^2\d\.\d s$/ }).waitFor()
    await page.getByRole('button', { name: 'Fold idle time' }).click()

    expect(folded).toMatch(/^8\.\d+ s/)
    await expect.poll(() => axis(page)).toBe(folded)
  })

  test('the keyboard stands on idle time as on any row', async () => {
    const grid = page.getByRole('grid', { name: 'Rows of the trace' })
    await grid.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')

    const picked = page.locator('.trace-row[aria-selected=true]')
    expect(await picked.textContent()).toContain('12.4 s idle')
    expect(await grid.getAttribute('aria-activedescendant')).toBe(await picked.getAttribute('id'))
    await page.keyboard.press('ArrowDown')
    expect(await picked.textContent()).toContain('commit')
  })

  test('a filter says that it hides rows instead of calling the time idle', async () => {
    await filter(page, 'server:git method:tools')
    await page.locator('.trace-gap', { hasText: '12.4 s idle' }).waitFor()
    await filter(page, '-commit')
    await page
      .locator('.trace-gap', { hasText: /s without a match/ })
      .first()
      .waitFor()
    await filter(page, '')
  })

  test('a call shows whom it waited for, in a bar and moment by moment', async () => {
    await pick(page, 'commit')
    await page
      .getByRole('img', { name: /^Where the time went: server 2 %, client <1 %, person 98 %$/ })
      .waitFor()

    await part(page, 'Time')
    const rows = page.locator('.time-table tbody tr')
    await expect.poll(() => rows.count()).toBe(5)
    expect(await rows.nth(2).textContent()).toMatch(
      /\+62 ms8\.10 s98 %person.*elicitation\/create: a person answers/,
    )

    await page.getByRole('button', { name: 'elicitation/create: a person answers' }).click()
    await page.locator('.trace-row[aria-selected=true]', { hasText: 'elicitation' }).waitFor()
  })

  test('a question says who answered it', async () => {
    await page.locator('.trace-row', { hasText: '(you)' }).waitFor()
  })

  test('the path of what is picked is drawn in the waterfall', async () => {
    await page.locator('.trace-scroll').press('Escape')
    const before = await picture(page)
    await pick(page, 'commit')

    await expect.poll(() => picture(page)).not.toBe(before)
  })

  test('a key zooms to the picked call, and another shows all again', async () => {
    await pick(page, 'fetch')
    await page.locator('.trace-scroll').press('z')
    await page.locator('.trace-axis', { hasText: /^5\d ms$/ }).waitFor()
    expect(await page.locator('.trace-figures').textContent()).toMatch(/^rows1/)

    await page.locator('.trace-scroll').press('Shift+Z')
    await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' })
  })

  test('the filter explains itself, and finds what waited for a person', async () => {
    await page.getByRole('button', { name: 'How to filter' }).click()
    await page.getByRole('button', { name: 'wait:person' }).click()

    await page.locator('.trace-figures', { hasText: /^rows1/ }).waitFor()
    expect(await page.locator('.trace-row').first().textContent()).toContain('commit')
  })

  test('what passes the filter is saved with all it led to', async () => {
    await filter(page, 'wait:person')
    const download = page.waitForEvent('download')
    await menu(page, 'Only what is shown')
    const text = await readFile(await (await download).path(), 'utf8')
    await filter(page, '')

    expect(text).toContain('Sign the commit?')
    expect(text).not.toContain('"fetch"')
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ trace: 1 })
  })

  test('what is no request of ours is copied as JSON only', async () => {
    await pick(page, 'elicitation/create')
    await page.getByRole('button', { name: 'Copy as', exact: true }).click()
    await page.getByRole('menuitem', { name: 'JSON' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['JSON'])
    await page.keyboard.press('Escape')
  })

  test('a comparison shows what changed and what was slower, and leads to the request', async () => {
    const other = toldTrace().replace('"clean"', '"dirty"').replaceAll('"time":14,', '"time":514,')
    await chooseFile(page, 'Compare with a file…', 'other.jsonl', other)
    await page.getByText(/^1 of \d requests differ$/).waitFor()
    await page.getByText('/result/content/0/text').waitFor()

    await page.getByRole('radiogroup', { name: 'Which requests' }).getByText('slower').click()
    await page.getByRole('cell', { name: '+500 ms' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'tools/call status' }).click()

    await page.locator('.trace-row[aria-selected=true]', { hasText: 'status' }).waitFor()
    await menu(page, 'Compare with other.jsonl again')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
  })

  test.each(['light', 'dark'] as const)('keeps nobody out, %s', async (colorScheme) => {
    await showInColours(page, colorScheme)
    await pick(page, 'commit')
    await part(page, 'Time')
    expect(await problemsOf(page)).toEqual([])
  })

  test('spans of OpenTelemetry are drawn below each other, from a host through a gateway to a query', async () => {
    await page.setViewportSize({ width: 1280, height: 1200 }) // rows out of sight are not there
    await page.getByRole('button', { name: 'The trace on the full page (T)' }).click()
    const before = await picture(page)
    await chooseFile(page, 'Open a file…', 'one-trace.jsonl', await readFile(spans, 'utf8'))
    await page.getByRole('button', { name: 'one-trace.jsonl' }).waitFor()

    await page.locator('.trace-row', { hasText: 'SELECT files' }).waitFor()
    const rows = await Promise.all((await page.locator('.trace-row').all()).map(describeRow))
    for (const name of ['notes', 'files']) {
      const last = rows.findIndex(({ what }) => what === `SELECT ${name}`)
      const way = rows.slice(last - 4, last + 1)
      expect(way.map(({ server, what }) => `${server}: ${what}`)).toEqual([
        `host: tools/call${name}__look`,
        `gateway: tools/call${name}__look`,
        'gateway: tools/calllook',
        `${name}: tools/calllook`,
        `${name}: SELECT ${name}`,
      ])
      expect(way.map(({ depth }) => depth - (way[0]?.depth ?? 0))).toEqual([0, 1, 2, 3, 4])
    }
    expect(rows[0]).toMatchObject({ server: 'host', what: 'a turn' })
    await expect.poll(() => picture(page)).not.toBe(before)
    await pick(page, 'SELECT notes')
    await page.getByText('"SELECT notes"').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to the small trace (T)' }).click()
    await openTold(page)
    await pick(page, 'commit')
  })

  test('fits a narrow screen', async () => {
    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByRole('button', { name: 'Close the content' }).click()
    await page.locator('.trace-gap').first().waitFor()
    await page.getByRole('button', { name: 'How to filter' }).click()
    await expect.poll(() => rightEdge(page, 'How to filter')).toBeLessThanOrEqual(400)
    await page.keyboard.press('Escape')
    await pick(page, 'commit')
    await part(page, 'Time')
    await page.locator('.time-table').waitFor()
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    expect(wide).toBeLessThanOrEqual(400)
    expect(await problemsOf(page)).toEqual([])
  })

  test('never offended the content policy, and threw nothing', () => {
    expect(inspector.complaints).toEqual([])
  })
})

/** Who did what, and how far below the first row. */
async function describeRow(row: Locator) {
  const words = await row.locator('.trace-label, .trace-subject').allTextContents()
  const indent = await row
    .locator('.trace-what')
    .evaluate((cell) => (cell as unknown as { style: { paddingLeft: string } }).style.paddingLeft) // it is one
  return {
    server: await row.locator('.trace-server').textContent(),
    what: words.join(''),
    depth: parseFloat(indent) / 16,
  }
}

/** What keeps people out of the trace; the rest of the page is looked at elsewhere. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  return await seriousFindings(page, '.trace, .trace-compare')
}

async function openTold(page: Page) {
  await chooseFile(page, 'Open a file…', 'told.jsonl', toldTrace())
  await page.getByRole('button', { name: 'told.jsonl' }).waitFor()
}

async function menu(page: Page, item: string) {
  await page.getByRole('button', { name: 'What to do with the trace' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function chooseFile(page: Page, item: string, name: string, text: string) {
  const chooser = page.waitForEvent('filechooser')
  await menu(page, item)
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

async function filter(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Filter of the trace' }).fill(text)
}

async function pick(page: Page, subject: string) {
  await page.locator('.trace-row', { hasText: subject }).first().click()
  await page.locator('.trace-detail').waitFor()
}

async function part(page: Page, name: string) {
  await page
    .getByRole('radiogroup', { name: 'Part of the row' })
    .getByText(name, { exact: true })
    .click()
}

/** Where a dialog ends, once it has found its place. */
async function rightEdge(page: Page, name: string): Promise<number> {
  const box = await page.getByRole('dialog', { name }).boundingBox()
  return box ? box.x + box.width : Infinity
}

function axis(page: Page) {
  return page.locator('.trace-axis').textContent()
}

function picture(page: Page) {
  return page
    .locator('.trace-canvas')
    .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL()) // it is one
}
