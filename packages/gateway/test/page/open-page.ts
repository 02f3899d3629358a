import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'

import { hasChromium, openChromium, type OpenChromium } from '../../../../test-support/chromium.ts'
import type { RunningPage } from './running-page.ts'

/** Whether there is a browser, and a page to show in it. */
export const canOpen =
  hasChromium && existsSync(fileURLToPath(new URL('../../dist/page/index.html', import.meta.url)))

/** How a page looks at first. */
export interface Look {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

/** A browser, and what pages in it complained about. */
export interface OpenBrowser extends AsyncDisposable {
  /** A page in a profile of its own, let in and ready. */
  newPage(running: RunningPage, look?: Look): Promise<Page>
  readonly complaints: readonly string[]
}

export async function openBrowser(): Promise<OpenBrowser> {
  const browser: OpenChromium = await openChromium()
  const complaints: string[] = []
  return {
    complaints,
    async newPage(running, { dark = false, width = 1280, height = 800 } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(40_000)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(running.page.createEntryUrl().href)
      await page.getByRole('main').waitFor()
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
    },
  }
}

/** The views, as the navigation names them. */
export const viewNames = [
  'Overview',
  'Servers',
  'Sessions',
  'Traffic',
  'Policy',
  'Quarantine',
  'Audit',
  'API keys',
  'Configuration',
] as const

/** Opens a view by the navigation. */
export async function show(page: Page, name: (typeof viewNames)[number]): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Views' })
  const drawer = page.getByRole('button', { name: 'Open the side bar' })
  await navigation.or(drawer).filter({ visible: true }).first().waitFor() // one of them, once there is something to show
  if (!(await navigation.isVisible())) await drawer.click()
  await navigation.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('main', { name }).waitFor()
}
