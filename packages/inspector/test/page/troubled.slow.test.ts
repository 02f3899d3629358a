import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { troubledEntry } from '../service/troubled-server.ts'
import { canOpen, field, inspectorForAll, openTab, openTool, showServer } from './open-inspector.ts'

const hangingEntry = { ...troubledEntry, args: [...troubledEntry.args, '--hang'] }

describe.skipIf(!canOpen)('servers in trouble', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'troubled', entry: troubledEntry, connect: true },
        { name: 'hanging', entry: hangingEntry, settings: { connectTimeoutMs: 600_000 } },
      ],
      async *diagnose() {
        yield { title: 'starting', state: 'good', seen: 'first answer after 5 ms' }
        const fix = 'Write logs to standard error.'
        yield await Promise.resolve({ title: 'standard output', state: 'bad', seen: 'noise', fix })
      },
    },
    async (opened) => {
      page = await opened.newPage({ height: 900, trace: true })
    },
  )

  /** Of a part of the page, in both colours. */
  async function findings(part: string): Promise<readonly string[]> {
    const found: string[] = []
    for (const colorScheme of ['dark', 'light'] as const) {
      await showInColours(page, colorScheme)
      found.push(...(await seriousFindings(page, part)))
    }
    return found
  }

  async function run(tool: string): Promise<void> {
    await openTool(page, tool)
    await page.locator('[data-run]').click()
  }

  test('roots are told at once, and a notice says that there are none', async () => {
    await showServer(page, 'troubled')
    await run('roots')

    await page.getByText('It was told that there are no roots.').waitFor()
    await page.getByText('Answered', { exact: true }).waitFor()
  })

  test('noise on standard output is a warning with its text, and can be diagnosed', async () => {
    await run('chatter')
    await openTab(page, 'Overview')
    const warning = page.getByRole('listitem').filter({ hasText: 'Listening on port 3000' })
    await warning.getByRole('button', { name: 'Diagnose' }).click()

    const dialog = page.getByRole('dialog', { name: 'Diagnosis of troubled' })
    await dialog.getByText('1 problem found.').waitFor()
    await dialog.getByText('Write logs to standard error.').waitFor()
    expect(await findings('[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('one that dies in mid-call keeps its form, result and history, and says how it ended', async () => {
    await run('echo')
    await page.getByText('Answered', { exact: true }).waitFor()
    await openTool(page, 'die')
    await field(page, /^value/).fill('kept')
    await page.locator('[data-run]').click()

    const banner = page.getByRole('alert').filter({ hasText: 'troubled ended with code 3' })
    await banner.getByText('about to give up').waitFor()
    expect(await field(page, /^value/).inputValue()).toBe('kept')
    await page.getByText('connection_lost').first().waitFor()
    await page.locator('.rail-item', { hasText: 'troubled' }).getByText('Ended').waitFor()
    expect(await findings('.server-banner')).toEqual([])
    expect(await page.locator('[data-run]').isDisabled()).toBe(true)

    await banner.getByRole('button', { name: 'Restart' }).click()
    await banner.waitFor({ state: 'detached' })
    expect(await field(page, /^value/).inputValue()).toBe('kept')
    await openTab(page, 'Logs')
    await page.locator('.log-row', { hasText: 'ended with code 3' }).waitFor()
  })

  test('a start that hangs has a clock, names the field of its limit, and can be cancelled', async () => {
    await showServer(page, 'hanging')
    await openTab(page, 'Overview')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()

    await page.getByRole('status').getByText('Starting hanging').waitFor()
    await page.getByText(/· [1-9]\d* s/).waitFor()
    expect(await findings('.connecting')).toEqual([])
    await page.getByRole('button', { name: '“Time limit of connecting” in Settings' }).click()
    await page.getByRole('textbox', { name: 'Time limit of connecting' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText('hanging is not connected').waitFor()
  })

  test('arguments and history survive a reload', async () => {
    await openTool(page, 'die', 'troubled')
    await page.reload()

    await page.getByText('connection_lost').first().waitFor()
    expect(await field(page, /^value/).inputValue()).toBe('kept')
  })

  test('the trace is of this server or of all, folds _meta, and can take the full page', async () => {
    const rows = page.getByRole('grid', { name: 'Rows of the trace' })
    const start = rows.getByRole('row').filter({ hasText: 'hanging' })
    await page.getByRole('radiogroup', { name: 'Show messages of' }).getByText('All').click()
    await start.first().waitFor()
    await page
      .getByRole('radiogroup', { name: 'Show messages of' })
      .getByText('This server')
      .click()
    await start.first().waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'The trace on the full page (T)' }).click()
    await page.getByRole('main').waitFor({ state: 'hidden' })
    const place = await page.locator('.trace').boundingBox()
    expect(place?.height).toBeGreaterThan(700) // of 900
    await page.getByLabel('Filter of the trace').fill('method:tools/call status:lost')
    await rows.getByRole('row').filter({ hasText: 'tools/call' }).first().click()
    const content = page.getByRole('region', { name: 'Content of the row' })
    await content.getByRole('treeitem', { name: /_meta/ }).waitFor()
    await expect.poll(() => content.getByText('progressToken').count()).toBe(0)
    expect(await findings('.trace')).toEqual([])

    await rows.focus()
    await page.keyboard.press('Shift+T')
    await page.getByRole('main').waitFor()
  })

  test('nothing was complained about', () => {
    expect(inspector.complaints).toEqual([])
  })

  test('a banner says that the service is gone, and what is shown stays', async () => {
    await inspector.stop()

    await page.getByRole('alert').filter({ hasText: 'The inspector does not answer' }).waitFor()
    expect(await field(page, /^value/).inputValue()).toBe('kept')
    expect(await findings('.service-banner')).toEqual([])
  })
})
