import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import {
  type ChatSetupOptions,
  createChatSetup,
  openChat,
  openConversationStore,
  type OpenedChat,
  startChatPage,
} from '@parley/chat'
import { openAuditLog } from '@parley/foundation/audit'
import type { HostServer } from '@parley/host'
import type { Model } from '@parley/host/models'
import type { Page } from 'playwright-core'

import { hasChromium, isUnknownWebrtc, openChromium } from '../../../../test-support/chromium.ts'

const pageFolder = fileURLToPath(new URL('../../dist/page', import.meta.url))

/** Whether there is a browser, and a page to show in it. */
export const canOpen = hasChromium && existsSync(join(pageFolder, 'index.html'))

/** What the chat of a test has. */
export interface PageOptions {
  readonly models: readonly Model[]
  readonly servers: readonly HostServer[]
  /** Offers to choose; without it the first run is over. */
  readonly setup?: Omit<ChatSetupOptions, 'file' | 'env'>
}

/** How a page looks. */
export interface Look {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

/** A chat with a browser before it. */
export interface OpenPage extends AsyncDisposable {
  readonly chat: OpenedChat
  /** A page in a browser profile of its own, let in and ready. */
  newPage(look?: Look): Promise<Page>
  /** What programs find in the file with the token. */
  readonly programs: { readonly url: string; readonly token: string }
  /** What pages complained about: errors of scripts, refusals of the content policy. */
  readonly complaints: readonly string[]
  /** Where pages sent requests to. */
  readonly origins: ReadonlySet<string>
}

/** Starts a chat in a folder of its own, its page, and a browser. */
export async function openPage(options: PageOptions): Promise<OpenPage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chat-'))
  const audit = openAuditLog({ path: join(folder, 'audit.jsonl') })
  const conversations = openConversationStore({ file: join(folder, 'conversations.db') })
  const chat = await openChat({
    host: { servers: options.servers, timeouts: { startMs: 30_000 }, apps: true },
    consent: { audit },
    models: options.models,
    conversations,
  })
  await chat.host.start()
  const setup =
    options.setup &&
    createChatSetup(chat, { ...options.setup, file: join(folder, 'settings.json'), env: {} })
  const served = await startChatPage(chat, {
    setup,
    port: 0,
    noOpen: true,
    version: '0.0.0',
    folder,
    stateDirectory: folder,
    pageFolder,
  })
  const browser = await openChromium()
  const complaints: string[] = []
  const origins = new Set<string>()

  return {
    chat,
    programs: JSON.parse(await readFile(served.tokenFile, 'utf8')) as OpenPage['programs'], // what the listener writes
    complaints,
    origins,
    async newPage({ dark = false, width = 1280, height = 800 } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(40_000)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !isUnknownWebrtc(message.text())) {
          complaints.push(message.text())
        }
      })
      page.on('request', (request) => {
        const address = new URL(request.url())
        if (address.protocol === 'http:' || address.protocol === 'https:') {
          origins.add(address.origin)
        }
      })
      await page.goto(served.createUrl())
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await served.close()
      await chat[Symbol.asyncDispose]()
      await conversations[Symbol.asyncDispose]()
      await audit[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Writes and sends. */
export async function send(page: Page, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Message' })
  await field.fill(text)
  await field.press('Enter')
}

/** The focus is on the safe answer of a sheet, and by the clock of the page it has been there long enough for keys to count. */
export async function focusedOn(page: Page, name: string): Promise<void> {
  await page.locator('[data-safe]:focus').getByText(name, { exact: true }).waitFor()
  // Keys of the first moment are meant for something else.
  await page.evaluate(`{
    const now = performance.now.bind(performance)
    performance.now = () => now() + 700
  }`)
}
