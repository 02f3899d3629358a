import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { chromiumPath } from '../../../../test-support/chromium.ts'
import { canOpen, go, inspectorForAll } from '../page/open-inspector.ts'
import { call, resultIn } from './walk.ts'

const browser = chromiumPath ?? ''

interface Foreign {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly tool: string
  readonly values: { readonly [label: string]: string }
  readonly answer: RegExp
}

/** Servers that nobody here wrote, as people install them; each with one call. */
const servers: readonly Foreign[] = [
  {
    name: 'everything',
    program: '@modelcontextprotocol/server-everything/dist/index.js',
    args: ['stdio'],
    tool: 'echo',
    values: { message: 'hello' },
    answer: /Echo: hello/,
  },
  {
    name: 'playwright',
    program: '@playwright/mcp/cli.js',
    args: ['--headless', '--isolated', '--no-sandbox', '--executable-path', browser],
    tool: 'browser_navigate',
    values: { url: 'data:text/html,<title>Seen by Playwright</title>' },
    answer: /Seen by Playwright/,
  },
  {
    name: 'chrome-devtools',
    program: 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js',
    args: [
      '--headless',
      '--isolated',
      '--no-usage-statistics',
      '--chromeArg=--no-sandbox',
      `--executablePath=${browser}`,
    ],
    tool: 'list_pages',
    values: {},
    answer: /about:blank/,
  },
]

describe.skipIf(!canOpen)('servers of others in the page', () => {
  let page: Page
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-foreign-'))
    return () => rm(folder, { recursive: true, force: true })
  })
  const inspector = inspectorForAll(
    () => ({
      servers: servers.map(({ name, program, args }) => ({
        name,
        entry: {
          command: execPath,
          args: [modulePath(program), ...args],
          cwd: folder, // where they keep what they see
          // Neither looks for a newer release of itself.
          env: { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1', CI: '1' },
        },
        connect: true,
      })),
    }),
    async (opened) => {
      page = await opened.newPage({ trace: true })
      page.setDefaultTimeout(60_000)
    },
  )

  test.each(servers)(
    'lists and calls $name, with nothing left waiting and no error [INSP-03, INSP-06]',
    async ({ name, tool, values, answer }) => {
      await page
        .getByRole('navigation')
        .getByRole('button', { name: new RegExp(`^${name} .*Ready`) })
        .waitFor()
      await call(page, name, tool, values)
      await resultIn(page).getByText('Answered', { exact: true }).waitFor()

      expect(await resultIn(page).textContent()).toMatch(answer)
      await expect.poll(() => countRows(page, `server:${name} status:pending`)).toBe('0')
      expect(await countRows(page, `server:${name} status:error`)).toBe('0')
      await go(page, name, 'overview')
      await page.getByRole('region', { name: 'Server capabilities' }).waitFor()
      await expect
        .poll(() => page.getByRole('button', { name: /requests? waits?/ }).count())
        .toBe(0)
      await expect
        .poll(() => page.getByRole('main').getByText('Something went wrong').count())
        .toBe(0)
    },
  )

  test('and no page complained', () => {
    expect(inspector.complaints).toEqual([])
  })
})

/** How many rows of the trace pass a filter. */
async function countRows(page: Page, filter: string): Promise<string | null> {
  await page.getByRole('textbox', { name: 'Filter of the trace' }).fill(filter)
  return page.locator('.trace-figures dd').first().textContent()
}

/** A program of a package that is installed for development. */
function modulePath(path: string): string {
  return fileURLToPath(new URL(`../../../../node_modules/${path}`, import.meta.url))
}
