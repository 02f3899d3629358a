import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'

import { findChromium } from './programs.ts'

export const chromiumPath = findChromium()
export const hasChromium = chromiumPath !== undefined

/** Whether Chromium only reports that it does not know `webrtc`, which the policy of Apps names for browsers that do. */
export function isUnknownWebrtc(message: string): boolean {
  return message === "Unrecognized Content-Security-Policy directive 'webrtc'."
}

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
