import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'

import { createRegistry, serveRegistry } from '@parley/registry'
import { expect, onTestFinished } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { folderBelowRepository } from '../below-repository.ts'
import { enterPage } from '../dev/page.ts'
import { useOwnNpx } from '../own-npx.ts'
import { run } from '../run.ts'

const execute = promisify(execFile)
const name = 'io.modelcontextprotocol.anonymous/dice'

/** Somewhere to publish to. */
async function serve(): Promise<string> {
  const registry = await createRegistry({ database: ':memory:', auth: { anonymous: true } })
  const served = await serveRegistry(registry, { page: false })
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]()
    await registry.close()
  })
  return served.url.href
}

/** Runs `parley inspect` until the page is done with it. */
async function inspect(
  options: { readonly cwd: string; readonly env: { readonly [name: string]: string } },
  work: (page: Awaited<ReturnType<typeof enterPage>>) => Promise<void>,
): Promise<void> {
  const enough = new AbortController()
  let notify: (url: string) => void = () => {}
  const url = new Promise<string>((resolve) => (notify = resolve))
  const running = run(['inspect', '--no-open', '--port', '0'], {
    ...options,
    signal: enough.signal,
    onStdout: (text) => notify(text.trim()),
  })
  try {
    using page = await enterPage(await url)
    await work(page)
  } finally {
    enough.abort(new Error('enough'))
    await running
  }
}

testOnPosix(
  'a new server is published, found, added to a configuration and run in the Inspector [REG-02, REG-03, REG-09]',
  async () => {
    const project = folderBelowRepository()
    const env = { PARLEY_STATE: folderWith({}), PARLEY_REGISTRY: await serve() }
    const author = (...words: readonly string[]) => run(words, { cwd: project, env })
    expect((await author('init')).code).toBe(0)
    await execute('npm', ['run', 'build'], { cwd: project })
    const manifest = join(project, 'package.json')
    const written = JSON.parse(readFileSync(manifest, 'utf8')) as object // what init writes
    writeFileSync(manifest, JSON.stringify({ ...written, name: 'dice', mcpName: name }))

    expect((await author('registry', 'init')).code).toBe(0)
    expect((await author('registry', 'validate')).code).toBe(0)
    expect((await author('registry', 'login', 'anonymous')).code).toBe(0)
    expect((await author('registry', 'publish')).stdout).toContain(`published ${name}`)

    useOwnNpx([execPath, join(project, 'dist/main.js')])
    const user = { cwd: folderWith({}), env: { ...env, PARLEY_STATE: folderWith({}) } }
    expect((await run(['search', 'dice'], user)).stdout).toContain(name)
    const added = await run(['add', name, '--yes'], user)
    expect(added.stdout).toContain('runs: npx -y dice@')

    await inspect(user, async (page) => {
      const { servers } = await page.ask('state/get', {})
      expect(servers).toMatchObject([{ name: 'dice', state: 'blocked' }])
      const [{ entry }] = servers as [{ entry: { command: string; args: string[] } }] // as was just seen
      const argv = [entry.command, ...entry.args]
      await page.ask('servers/confirm', { name: 'dice', argv })
      const called = await page.ask('runs/start', {
        server: 'dice',
        run: 'one',
        method: 'tools/call',
        params: { name: 'roll', arguments: { sides: 6, count: 2 } },
      })
      expect(JSON.stringify(called)).toContain('rolled')
    })
  },
  120_000,
)
