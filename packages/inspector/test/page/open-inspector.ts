import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { type InspectorOptions, startInspector } from '@parley/inspector'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

import { hasChromium, isUnknownWebrtc, openChromium } from '../../../../test-support/chromium.ts'

/** Another build of the page can be tried without replacing the one that is there. */
const pageFolder =
  env['INSPECTOR_PAGE'] ?? fileURLToPath(new URL('../../dist/page', import.meta.url))
const everything = fileURLToPath(
  new URL('../../../../servers/everything/dist/main.js', import.meta.url),
)

/** Our server that has everything, as a command. */
export const everythingEntry = { command: execPath, args: [everything, '--extras'] }

/** A server that misbehaves. */
export const stubbornEntry = {
  command: execPath,
  args: [fileURLToPath(new URL('fixtures/stubborn.mjs', import.meta.url))],
}

/** A program of ours as a server that is connected from the start. */
export function connected(name: string, program: string) {
  return { name, entry: { command: execPath, args: [program] }, connect: true }
}

/** Whether there is a browser, and a page to show in it. */
export const canOpen = hasChromium && existsSync(join(pageFolder, 'index.html'))

/** How a page looks at first. */
export interface Look {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
  /** What the page may do without asking. */
  readonly permissions?: readonly string[]
  /** Whether the trace opens with the first run, as it does for people; each step takes half as much again with it. */
  readonly trace?: boolean
}

/** An inspector with a browser before it. */
export interface OpenInspector extends AsyncDisposable {
  readonly url: string
  createUrl(): string
  /** Ends the service; pages stay open. */
  stop(): Promise<void>
  /** A page in a browser profile of its own, let in and ready. */
  newPage(look?: Look): Promise<Page>
  /** A page that shows an address, let in or not. */
  newPageAt(url: string, look?: Look): Promise<Page>
  /** What pages complained about: errors of scripts, refusals of the content policy. */
  readonly complaints: readonly string[]
  /** Where pages sent requests to. */
  readonly origins: ReadonlySet<string>
}

type Options = Pick<
  InspectorOptions,
  'servers' | 'noSpawn' | 'readOnly' | 'diagnose' | 'openCatalogue'
>

/**
 * One inspector for all tests of a `describe`: opened before the first, closed after the last. It can be used from `ready`
 * on, which opens what the tests begin with. Options that are not known yet are asked for then.
 */
export function inspectorForAll(
  options: Options | (() => Options),
  ready: (inspector: OpenInspector) => unknown = () => undefined,
): OpenInspector {
  let opened: OpenInspector | undefined
  const get = (): OpenInspector => {
    if (opened === undefined) throw new Error('the inspector opens before the first test')
    return opened
  }
  beforeAll(async () => {
    opened = await openInspector(typeof options === 'function' ? options() : options)
    await ready(opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose](), 120_000)

  return {
    get url() {
      return get().url
    },
    get complaints() {
      return get().complaints
    },
    get origins() {
      return get().origins
    },
    createUrl: () => get().createUrl(),
    stop: () => get().stop(),
    newPage: (look) => get().newPage(look),
    newPageAt: (url, look) => get().newPageAt(url, look),
    [Symbol.asyncDispose]: () => get()[Symbol.asyncDispose](),
  }
}

/** As if a user of this browser had closed it. Frames of apps and empty pages have no storage. */
const keepTraceClosed = `try {
  if (self === top && localStorage.getItem('parley-trace') === null) localStorage.setItem('parley-trace', 'false')
} catch {}`

/** Starts an inspector in a state folder of its own, and a browser. */
export async function openInspector(options: Options): Promise<OpenInspector> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'parley-panels-'))
  const inspector = await startInspector({
    ...options,
    noOpen: true,
    port: 0,
    stateDirectory,
    pageFolder,
  })
  const browser = await openChromium()
  const complaints: string[] = []
  const origins = new Set<string>()

  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= inspector.close())

  async function newPageAt(url: string, look: Look = {}): Promise<Page> {
    const { dark = false, width = 1280, height = 720, permissions = [], trace = false } = look
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      permissions: [...permissions],
    })
    context.setDefaultTimeout(40_000)
    if (!trace) await context.addInitScript(keepTraceClosed)
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !isUnknownWebrtc(message.text())) {
        complaints.push(message.text())
      }
    })
    page.on('request', (request) => {
      const address = new URL(request.url())
      if (address.protocol !== 'blob:') origins.add(address.origin)
    })
    await page.goto(url)
    return page
  }

  return {
    url: inspector.url,
    createUrl: inspector.createUrl,
    stop,
    newPageAt,
    async newPage(look) {
      const page = await newPageAt(inspector.createUrl(), look)
      await page.getByRole('tablist', { name: /^Parts of/ }).waitFor()
      return page
    },
    complaints,
    origins,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await stop()
      await rm(stateDirectory, { recursive: true, force: true })
    },
  }
}

/** Our everything server over HTTP, on a free port. */
export async function serveEverything(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(execPath, [everything, 'streamableHttp', '--extras'], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines = createInterface({ input: child.stderr })
  const [line] = await once(lines, 'line')
  return {
    url: String(line).replace(/^.*listens on /, ''),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Opens a tab of the server that is shown. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
}

/** Opens the trace, which is a strip until the first run. */
export async function openTrace(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Trace' })
    .getByRole('button', { name: /^Trace/, expanded: false })
    .click()
}

/** Shows a server of the rail. */
export async function showServer(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: new RegExp(`^${name} `) })
    .first()
    .click()
}

/** Shows a server, a tab, and what is picked there, by the address. */
export async function go(page: Page, server: string, tab: string, item?: string): Promise<void> {
  const parts = [server, tab, ...(item === undefined ? [] : [item])].map(encodeURIComponent)
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${parts.join('/')}`)}`)
}

/** Shows a tool by the address; of the server that is shown, unless another one is named. */
export async function openTool(page: Page, tool: string, server?: string): Promise<void> {
  const shown = decodeURIComponent(new URL(page.url()).hash.split('/')[1] ?? '')
  await go(page, server ?? shown, 'tools', tool)
  await page.getByRole('heading', { name: new RegExp(`(?:^|\\s)${tool}$`) }).waitFor()
}

/** Searches the list of a tab, and picks an entry. */
export async function pick(page: Page, list: string, name: string): Promise<void> {
  await page.getByRole('textbox', { name: `Search ${list}` }).fill(name)
  await page
    .getByRole('option', { name: new RegExp(`(?:^|\\s)${name}`) })
    .first()
    .click()
}

/** A field of a form by its label, whatever it takes. */
export function field(page: Page, name: RegExp): Locator {
  return page.getByRole('textbox', { name }).or(page.getByRole('spinbutton', { name })).first()
}
