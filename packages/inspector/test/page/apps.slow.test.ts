import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'

import type { FrameLocator, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import {
  canOpen,
  everythingEntry,
  inspectorForAll,
  openTab,
  openTool,
  pick,
} from './open-inspector.ts'

const require = createRequire(import.meta.url)

/** A program of the official examples, as a command. */
function official(module: string) {
  return { command: execPath, args: [join(dirname(module), 'index.js'), '--stdio'] }
}
const vanilla = official(require.resolve('@modelcontextprotocol/server-basic-vanillajs'))
const budget = official(require.resolve('@modelcontextprotocol/server-budget-allocator'))

describe.skipIf(!canOpen)('apps in the page', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'everything', entry: everythingEntry, connect: true },
        { name: 'vanilla', entry: vanilla, connect: true },
        { name: 'budget', entry: budget, connect: true },
      ],
    },
    async (opened) => {
      page = await opened.newPage({ width: 1600, height: 1000, trace: true })
    },
  )

  function result(): Locator {
    return page.getByRole('region', { name: 'Result', exact: true })
  }

  function view(): FrameLocator {
    return page.frameLocator('.app-frame iframe').frameLocator('iframe')
  }

  async function run(server: string, tool: string): Promise<void> {
    await openTool(page, tool, server)
    await page.locator('[data-run]').click()
  }

  test('roll-dice shows what was rolled, and rolls again once it may', async () => {
    await run('everything', 'roll-dice')
    const dice = view().locator('output')
    await expect.poll(() => dice.textContent()).toMatch(/^[⚀-⚅] [⚀-⚅] = \d+$/u)
    expect(await result().textContent()).toContain('It loads nothing from elsewhere.')
    const before = await dice.textContent()

    await view().getByRole('button', { name: 'Roll again' }).click()
    const question = result().getByRole('group', { name: 'The app wants to call roll-dice' })
    await question.waitFor()
    expect(await question.textContent()).toContain('count')
    expect(await dice.textContent()).toBe(before)
    await question.getByRole('button', { name: /without asking/ }).click()
    await expect.poll(() => view().locator('p').textContent()).toBe('')

    await view().getByRole('button', { name: 'Roll again' }).click()
    await expect.poll(() => view().locator('p').textContent()).toBe('')
    expect(await question.count()).toBe(0)
    expect(await seriousFindings(page, '#workspace')).toEqual([])
  })

  test('what the app and its host say is in the trace', async () => {
    const trace = page.getByRole('grid', { name: 'Rows of the trace' })

    await expect.poll(() => trace.textContent()).toContain('ui/initialize')
    await expect.poll(() => trace.textContent()).toContain('ui/notifications/tool-result')
  })

  test('the theme of an app can be another than that of the page', async () => {
    const html = view().locator('html')
    expect(await html.getAttribute('data-theme')).toBe('light')

    await result().getByText('Dark', { exact: true }).click()

    await expect.poll(() => html.getAttribute('data-theme')).toBe('dark')
    await result().getByText('Theme of this page').click()
    await expect.poll(() => html.getAttribute('data-theme')).toBe('light')
  })

  test('an app is closed with a goodbye, and shown again', async () => {
    await result().getByRole('button', { name: 'Close the app' }).click()
    await result().getByText('The app is closed').waitFor()

    await result().getByRole('button', { name: 'Show it again' }).click()

    await expect.poll(() => view().locator('output').textContent()).toContain(' = ')
  })

  test('what was allowed while an app was shown is asked again when it is shown again', async () => {
    await view().getByRole('button', { name: 'Roll again' }).click()

    const question = result().getByRole('group', { name: 'The app wants to call roll-dice' })
    await question.getByRole('button', { name: 'Refuse' }).click()
  })

  test('words, structure and what came stay one press away', async () => {
    await result().getByText('Rendered', { exact: true }).click()

    expect(await result().textContent()).toMatch(/Rolled \d, \d: \d+ in all/)
    expect(await page.locator('.app-frame').count()).toBe(0)
  })

  test('the page of an app is shown in the view of resources, too', async () => {
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'Dice')
    const resource = page.getByRole('region', { name: 'Resource', exact: true })
    await resource.getByText('App', { exact: true }).click()

    await view().getByRole('button', { name: 'Roll again' }).waitFor()
  })

  test('server-basic-vanillajs of the official examples is shown, and calls its tool', async () => {
    await run('vanilla', 'get-time')
    await expect.poll(() => view().locator('body').textContent()).toMatch(/\d\d:\d\d/)

    await view().getByRole('button', { name: /time/i }).first().click()
    const question = result().getByRole('group', { name: 'The app wants to call get-time' })
    await question.getByRole('button', { name: 'Call once' }).click()

    await expect.poll(() => question.count()).toBe(0)
    expect(await result().getByText('The app was stopped').count()).toBe(0)
  })

  test('server-budget-allocator of the official examples is shown, with its chart', async () => {
    await run('budget', 'get-budget-data')

    await view().locator('canvas').first().waitFor()
    await expect.poll(() => view().locator('body').textContent()).toMatch(/\$/)
    expect(await result().getByText('The app was stopped').count()).toBe(0)
  })

  test('nothing was complained about, and nothing else was asked for', () => {
    const outside = [...inspector.origins].filter((origin) => !origin.includes('127.0.0.1'))
    expect(outside).toEqual([])
    expect(inspector.complaints).toEqual([])
  })
})
