import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { canOpen, connected, inspectorForAll } from '../page/open-inspector.ts'

const program = fileURLToPath(new URL('../form/fixtures/forms-server.mjs', import.meta.url))

describe.skipIf(!canOpen)('loads and collections', () => {
  let page: Page
  const inspector = inspectorForAll({ servers: [connected('forms', program)] }, async (opened) => {
    page = await opened.newPage({
      permissions: ['clipboard-read', 'clipboard-write'],
      trace: true,
    })
    await page.getByText('Ready').first().waitFor()
  })

  test('a load shows figures, plots, the same as tables, and a file of them', async () => {
    await show(page, 'bench')
    await page.getByRole('combobox', { name: 'Tool' }).click()
    await page.getByRole('option', { name: 'union' }).click()
    await page.getByRole('textbox', { name: 'Seconds' }).fill('1')
    await page.getByRole('spinbutton', { name: 'id' }).fill('7')
    await page.getByRole('button', { name: 'Start the load' }).click()
    await page.locator('.bench-report .tag', { hasText: 'done' }).waitFor()

    const calls = await page.locator('.bench-figures dd').first().textContent()
    expect(Number(calls?.replaceAll(',', ''))).toBeGreaterThan(0)
    await expect.poll(() => page.locator('.plot canvas').count()).toBe(2)
    await page.getByText('As a table').first().click()
    await expect
      .poll(() => page.locator('.bench-report table').first().locator('tr').count())
      .toBeGreaterThan(1)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).toContain('second,calls,errors,p50 ms,p99 ms')
  })

  test('a collection is made, run, and shows which check did not hold', async () => {
    await show(page, 'collections')
    await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('smoke')
    await page.getByRole('button', { name: 'Add the collection' }).click()
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByRole('textbox', { name: 'Value of name1' }).fill('seven')
    await page.getByRole('button', { name: 'Add a request' }).click()
    await page.getByRole('combobox', { name: 'Tool' }).fill('union')
    await page.getByText('By name', { exact: true }).click()
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('{{name1}}')
    await page.getByRole('button', { name: 'Add a check' }).click()
    await page.getByRole('textbox', { name: /^Where/ }).fill('/content/0/text')
    await page.getByRole('textbox', { name: 'The value it must have' }).fill('"other"')

    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('0 of 1 passed').waitFor()
    await page.getByText(/was .*seven/).waitFor()

    await page
      .getByRole('textbox', { name: 'The value it must have' })
      .fill(JSON.stringify(JSON.stringify({ name: 'seven' })))
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('1 of 1 passed').waitFor()
  })

  test.each(['light', 'dark'] as const)('they keep nobody out, %s', async (colorScheme) => {
    await showInColours(page, colorScheme)
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await show(page, 'bench')
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await show(page, 'collections')
  })

  test('they never offended the content policy, and threw nothing', () => {
    expect(inspector.complaints).toEqual([])
  })
})

async function show(page: Page, tab: string) {
  await page.goto(`${page.url().replace(/#.*$/, '')}#/forms/${tab}`)
}
