import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { describe, expect, onTestFinished, test } from 'vitest'

import { hasChromium, openChromium } from '../../../../test-support/chromium.ts'
import { findFreePort } from '../../../../test-support/free-port.ts'

const script = fileURLToPath(new URL('../../../../scripts/start.mjs', import.meta.url))
const built = fileURLToPath(new URL('../../dist/page/index.html', import.meta.url))
const tabs = [
  'Overview',
  'Tools',
  'Resources',
  'Prompts',
  'Requests',
  'Tasks',
  'Logs',
  'Auth',
  'Bench',
  'Collections',
]

describe.skipIf(!hasChromium || !existsSync(built) || process.platform === 'win32')(
  'npm start',
  () => {
    test('opens on the everything server, shows something on every tab, and leaves nothing behind', async () => {
      const port = await findFreePort()
      const state = await mkdtemp(join(tmpdir(), 'parley-start-'))
      const program = spawn(execPath, [script, '--no-open', '--port', String(port)], {
        env: { ...env, PARLEY_STATE: state },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(async () => {
        program.kill('SIGKILL')
        await rm(state, { recursive: true, force: true })
      })
      const url = await readUrl(program)
      expect(new URL(url).port).toBe(String(port))

      const browser = await openChromium()
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(url)
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /^everything Ready/ })
        .waitFor()

      for (const tab of tabs) {
        await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
        const panel = page.getByRole('tabpanel')
        await expect.poll(() => panel.locator('.part-loading').count(), { message: tab }).toBe(0)
        await expect.poll(() => panel.textContent(), { message: tab }).toMatch(/\w{3}/)
        expect(await page.getByRole('alert').count(), tab).toBe(0)
      }
      expect(complaints).toEqual([])

      const children = childrenOf(program.pid ?? 0)
      expect(children.length).toBeGreaterThan(0)
      program.kill('SIGTERM')
      const [code] = await once(program, 'exit')
      expect(code).toBe(0)
      await expect.poll(() => children.filter(isRunning)).toEqual([])
    })
  },
)

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += String(chunk)
    const url = /http:\S+#secret=\S+/.exec(text)?.[0]
    if (url !== undefined) return url
  }
  throw new Error(`it printed no address: ${text}`)
}

/** The processes a process has started. */
function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.[1] === String(parent))
}

function isRunning(pid: number): boolean {
  const stat = statOf(pid)
  return stat !== undefined && stat[0] !== 'Z'
}

/** State, parent and so on; undefined for a process that has ended. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
