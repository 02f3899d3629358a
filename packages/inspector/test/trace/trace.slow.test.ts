import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { canOpen, connected, inspectorForAll } from '../page/open-inspector.ts'

const program = fileURLToPath(new URL('fixtures/flood-server.mjs', import.meta.url))

describe.skipIf(!canOpen)('the trace', () => {
  let page: Page
  const inspector = inspectorForAll({ servers: [connected('flood', program)] }, async (opened) => {
    page = await opened.newPage({
      permissions: ['clipboard-read', 'clipboard-write'],
      trace: true,
    })
    await page.getByText('Ready').first().waitFor()
    await page.goto(`${page.url().replace(/#.*$/, '')}#/flood/tools/flood`)
    await page.getByRole('heading', { name: 'flood' }).waitFor()
    await run(page, 3)
  })
  beforeEach(async () => {
    await filter(page, '')
    await page.locator('.trace-scroll').press('Escape')
  })

  test('has one row for a request and its answer, with what it took', async () => {
    await filter(page, 'method:tools/call')

    await page.locator('.trace-figures', { hasText: /^rows1/ }).waitFor()
    const rows = page.locator('.trace-row')
    expect(await rows.allTextContents()).toEqual([
      expect.stringMatching(/→.*tools\/call.*flood.*ms/s),
    ])
  })

  test('shows what passes the filter, and figures of that alone', async () => {
    await filter(page, 'method:ping dir:in')
    await page.locator('.trace-figures', { hasText: /^rows3/ }).waitFor()

    await filter(page, 'text:"pinged 3 times"')
    await page.locator('.trace-figures', { hasText: /^rows1/ }).waitFor()

    await filter(page, 'method:nothing-like-it')
    await page.getByText('No rows match the filter').waitFor()
  })

  test('shows both halves of a row, and checks them by the schemas of the tool', async () => {
    await select(page, 'tools/call')

    await page.locator('.trace-detail .json-row', { hasText: 'count: 3' }).waitFor()
    await part(page, 'Answer')
    await page.locator('.trace-detail .json-row', { hasText: 'pinged 3 times' }).waitFor()
    await part(page, 'Validation')
    await page.getByText('arguments by the input schema: as it should be').waitFor()
  })

  test('sends a request once more with a key, and goes through rows with others', async () => {
    await select(page, 'tools/call')
    await page.keyboard.press('.')
    await filter(page, 'method:tools/call')
    await page.locator('.trace-figures', { hasText: /^rows2/ }).waitFor()
    await filter(page, '')

    await page.locator('.trace-scroll').focus()
    await page.keyboard.press('Home')
    const first = await selected(page)
    await page.keyboard.press(']')
    const second = await selected(page)
    await page.keyboard.press('[')

    expect(second).not.toBe(first)
    expect(await selected(page)).toBe(first)
  })

  test('sends a request that was edited, and shows that it failed', async () => {
    await select(page, 'tools/call')
    await page.getByRole('button', { name: 'Edit and resend' }).click()
    await page
      .getByRole('textbox', { name: 'Params' })
      .fill('{ "name": "flood", "arguments": { "count": "many" } }')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await filter(page, 'status:error method:tools/call')

    await page.locator('.trace-row[data-status=error]').first().waitFor()
  })

  test('is saved to a file that opens again, and compares as the same', async () => {
    await page.getByRole('button', { name: 'What to do with the trace' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Trace file' }).click()
    const path = await (await download).path()
    const text = await readFile(path, 'utf8')
    expect(text.split('\n').filter((line) => line.includes('tools/call')).length).toBeGreaterThan(0)
    const file = { name: 'saved.jsonl', mimeType: 'text/plain', buffer: Buffer.from(text) }

    await choose(page, 'Open a file…', file)
    await page.getByRole('button', { name: 'saved.jsonl' }).waitFor()
    await select(page, 'tools/call')
    await page.locator('.trace-detail .json-row', { hasText: 'count: 3' }).waitFor()

    await choose(page, 'Compare with a file…', file)
    await page.getByText(/^0 of \d+ requests differ$/).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'saved.jsonl' }).click()
  })

  test('copies a request as a command and as code', async () => {
    await select(page, 'tools/call')
    for (const [as, expected] of [
      ['Command line', 'flood'],
      ['TypeScript', 'flood'],
      ['JSON', '"tools/call"'],
    ] as const) {
      await page.getByRole('button', { name: 'Copy as', exact: true }).click()
      await page.getByRole('menuitem', { name: as, exact: true }).click()
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(expected)
    }
  })

  test('finds pinned rows', async () => {
    await select(page, 'initialize')
    await page.getByRole('button', { name: 'Pin' }).click()
    await filter(page, 'is:pinned')

    await page.locator('.trace-figures', { hasText: /^rows1/ }).waitFor()
  })

  test('zooms into a part of the time', async () => {
    const plot = page.locator('.trace-overview')
    const box = await plot.boundingBox()
    if (!box) throw new Error('the plot is not in sight')
    const rows = await page.locator('.trace-figures').textContent()
    await page.mouse.move(box.x + 1, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 4, box.y + 10, { steps: 4 })
    await page.mouse.up()

    const all = page.getByRole('button', { name: 'Show all' })
    await all.waitFor()
    expect(await page.locator('.trace-figures').textContent()).not.toBe(rows)
    await all.click()
  })

  test('keeps its rows few in the document when there are thousands', async () => {
    await run(page, 3000)
    await page.locator('.trace-figures', { hasText: /^rows[3-9],\d/ }).waitFor()

    await expect.poll(() => page.locator('.trace-row').count()).toBeLessThan(60)
    const grid = page.getByRole('grid', { name: 'Rows of the trace' })
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(3000)
  })

  test.each(['light', 'dark'] as const)('keeps nobody out, %s', async (colorScheme) => {
    await showInColours(page, colorScheme)
    await select(page, 'tools/call')
    expect(await seriousFindings(page, '.trace')).toEqual([])
  })

  test('never offended the content policy, and threw nothing', () => {
    expect(inspector.complaints).toEqual([])
  })
})

async function run(page: Page, count: number) {
  await page.getByRole('spinbutton', { name: 'count' }).fill(String(count))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText(`pinged ${count} times`).first().waitFor()
}

async function filter(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Filter of the trace' }).fill(text)
}

async function select(page: Page, method: string) {
  await filter(page, `method:${method} status:ok`)
  await page.locator('.trace-row', { hasText: method }).first().click()
  await page.locator('.trace-detail').waitFor()
}

async function part(page: Page, name: string) {
  await page.getByRole('radiogroup', { name: 'Part of the row' }).getByText(name).click()
}

function selected(page: Page) {
  return page.locator('.trace-row[aria-selected=true]').getAttribute('id')
}

async function choose(
  page: Page,
  item: string,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
) {
  await page.getByRole('button', { name: 'What to do with the trace' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: item }).click()
  await (await chooser).setFiles({ ...file })
}
