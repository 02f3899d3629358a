import { existsSync } from 'node:fs'
import { env, platform } from 'node:process'

import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'

/** Where Chromium, Chrome and Edge are installed on each system. The shell has no windows and needs less of everything. */
const usualPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
    folder === undefined
      ? []
      : [
          `${folder}\\Chromium\\Application\\chrome.exe`,
          `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
          `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
        ],
  ),
}

/** The browser that `PARLEY_CHROMIUM` names, else the first one found. */
export const chromiumPath =
  env['PARLEY_CHROMIUM'] ?? usualPlaces[platform]?.find((path) => existsSync(path))

export const hasChromium = chromiumPath !== undefined && existsSync(chromiumPath)
export const installCommand =
  platform === 'linux'
    ? 'apt-get install -y chromium-headless-shell'
    : 'install Chrome, or set PARLEY_CHROMIUM to the path of a Chromium'

/** What one test or test file has of the browser. */
export interface OpenChromium {
  /** A new and empty profile. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A page in a profile of its own, which ends with it. */
  newPage(): Promise<Page>
  /** Ends the profiles that were opened by this. */
  close(): Promise<void>
}

/** Starting a browser takes longer than most tests in it: the files that share a process share one, which ends with it. */
export async function openChromium(): Promise<OpenChromium> {
  const browser = await findOrLaunch()
  const contexts = new Set<BrowserContext>()

  async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext(options)
    contexts.add(context)
    context.once('close', () => contexts.delete(context))
    return context
  }

  return {
    newContext,
    async newPage() {
      const context = await newContext()
      const page = await context.newPage()
      page.once('close', () => void context.close())
      return page
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
}

let launched: Promise<Browser> | undefined

async function findOrLaunch(): Promise<Browser> {
  launched ??= launch()
  const browser = await launched
  if (browser.isConnected()) return browser
  launched = launch() // that one died
  return launched
}

function launch(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
