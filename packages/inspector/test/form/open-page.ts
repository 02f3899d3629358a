import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { Browser, Page } from 'playwright-core'

import { hasChromium, launchChromium } from '../../../../test-support/chromium.ts'
import { startInspector } from '../../src/index.ts'

/** Another build of the page can be tried without replacing the one that is there. */
const pageFolder =
  env['INSPECTOR_PAGE'] ?? fileURLToPath(new URL('../../dist/page', import.meta.url))

/** Whether there is a browser, and a page to show in it. */
export const canOpenPage = hasChromium && existsSync(join(pageFolder, 'index.html'))

/** A server for the inspector to look at. */
export interface Shown {
  readonly name: string
  readonly program: string
  readonly args?: readonly string[]
}

/** The page in a browser, in front of a running service with servers connected. */
export interface OpenedPage extends AsyncDisposable {
  readonly page: Page
  readonly browser: Browser
  /** What the page complained about: errors of scripts, refusals of the content policy. */
  readonly complaints: readonly string[]
}

/** Starts everything anew, in a state folder of its own. */
export async function openPage(
  servers: readonly Shown[],
  look: { readonly dark?: boolean; readonly width?: number; readonly height?: number } = {},
): Promise<OpenedPage> {
  const { dark = false, width = 1280, height = 720 } = look
  const stateDirectory = await mkdtemp(join(tmpdir(), 'parley-page-'))
  const inspector = await startInspector({
    noOpen: true,
    port: 0,
    stateDirectory,
    pageFolder,
    servers: servers.map(({ name, program, args = [] }) => ({
      name,
      entry: { command: execPath, args: [program, ...args] },
      connect: true,
    })),
  })
  const browser = await launchChromium()
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(40_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(inspector.url)

  return {
    page,
    browser,
    complaints,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await inspector.close()
      await rm(stateDirectory, { recursive: true, force: true })
    },
  }
}
