import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { canOpen, everythingEntry, inspectorForAll, openTab, showServer } from './open-inspector.ts'

const malformed = fileURLToPath(new URL('fixtures/malformed.mjs', import.meta.url))

describe.skipIf(!canOpen)('a server that lists nonsense', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'malformed', entry: { command: execPath, args: [malformed] }, connect: true },
        { name: 'everything', entry: everythingEntry, connect: true },
      ],
    },
    async (opened) => {
      page = await opened.newPage()
    },
  )

  test.each(['Overview', 'Tools', 'Resources', 'Prompts', 'Bench', 'Logs', 'Requests'])(
    'leaves %s usable, now and after a reload',
    async (tab) => {
      await showServer(page, 'malformed')
      await openTab(page, tab)
      await page.reload()
      await page.getByRole('tablist', { name: /^Parts of/ }).waitFor()

      await expect.poll(() => page.getByText(/cannot be shown/).count()).toBe(0)
      expect(inspector.complaints.filter((text) => /TypeError|Duplicate/.test(text))).toEqual([])
    },
  )

  test('shows what came, and says what is wrong with the rest [TUI-01]', async () => {
    await showServer(page, 'malformed')
    await openTab(page, 'Tools')

    await page.getByText(/after page 1: not this one/).waitFor()
    await expect.poll(() => page.getByRole('option', { name: /twin/ }).count()).toBe(2)
    await openTab(page, 'Prompts')
    await page.getByText(/2 items that are not objects, such as null/).waitFor()
    await openTab(page, 'Overview')
    await page
      .getByText(/tools: after page 1/)
      .first()
      .waitFor()
  })

  test('does not keep the others from being used', async () => {
    await showServer(page, 'everything')
    await openTab(page, 'Tools')

    await page
      .getByRole('option', { name: /(?:^|\s)echo / })
      .first()
      .waitFor()
  })
})
