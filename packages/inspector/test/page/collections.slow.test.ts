import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { canOpen, everythingEntry, inspectorForAll, openTab, openTool } from './open-inspector.ts'

describe.skipIf(!canOpen)('collections in the page', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [{ name: 'everything', entry: everythingEntry, connect: true }],
    },
    async (opened) => {
      page = await opened.newPage({ height: 1000 })
    },
  )

  const runs = () => page.getByRole('region', { name: 'Runs' })

  test('a result is saved, run, and its runs are there after a reload', async () => {
    await openTool(page, 'echo')
    await page.getByRole('textbox', { name: /^message/ }).fill('hello')
    await page.locator('[data-run]').click()
    await page.getByText('Echo: hello').first().waitFor()
    await page.getByRole('button', { name: 'Keep in a collection' }).click()
    await page.getByRole('menuitem', { name: 'Saved requests' }).click()
    await page.getByText('echo is in Saved requests now.').waitFor()
    await openTab(page, 'Collections')
    await page.getByRole('button', { name: 'Run all' }).click()
    await runs().getByText('1 of 1 passed').first().waitFor()

    await page.reload()
    await openTab(page, 'Collections')

    await runs().getByText('1 of 1 passed').first().waitFor()
  })

  test('a run is compared with an earlier one: which check changed', async () => {
    await page.getByRole('button', { name: 'Add a check' }).click()
    await page.getByRole('combobox', { name: 'Condition' }).last().click()
    await page.getByRole('option', { name: 'fails' }).click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await runs().getByText('0 of 1 passed').first().waitFor()

    await runs().getByRole('combobox', { name: 'Compare with' }).click()
    await page.getByRole('option', { name: /1 of 1 passed/ }).click()

    const table = runs().getByRole('table')
    await table.getByText('fails now').waitFor()
    await table.getByText('fails: new, and fails').waitFor()
    await table.getByText('the same').waitFor()
    expect(await seriousFindings(page, '#workspace')).toEqual([])
  })

  test('an earlier run can be looked at', async () => {
    const marks = runs().getByRole('list', { name: 'Runs, newest first' })

    await marks.getByRole('button', { name: /1 of 1 passed/ }).click()

    await runs().locator('.run-head').getByText('1 of 1 passed').waitFor()
  })

  test('a collection goes out as a file and comes back', async () => {
    await page.getByRole('button', { name: 'More about Saved requests' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as a file' }).click()
    const file = await download
    const path = await file.path()

    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import' }).click()
    await (await choosing).setFiles(path)

    await page.getByRole('heading', { name: 'Saved requests 2' }).waitFor()
    expect(file.suggestedFilename()).toBe('Saved-requests.collection.json')
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'parley-collection' })
    expect(inspector.complaints).toEqual([])
  })
})
