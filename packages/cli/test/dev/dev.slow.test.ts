import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { folderBelowRepository } from '../below-repository.ts'
import { repositoryFile, run } from '../run.ts'
import { enterPage, type Page } from './page.ts'
import { startDev } from './start-dev.ts'

/** Leaves the number of its process behind, so that a test can see whether it has ended. */
const server = (tools: string) => `import { appendFileSync } from 'node:fs'
import { createServer } from '@parley/mcp/server'
import { greeting } from './words.js'

enum Tone { Kind = 'kindly' }
appendFileSync(new URL('pids.txt~', import.meta.url), \`\${process.pid}\\n\`)
export const server = createServer({ name: 'mine', version: '1.0.0' })
${tools}
server.tool('greet', {}, (): string => \`\${greeting} \${Tone.Kind}\`)
`
const words = `export const greeting: string = 'Hello'\n`

function project(): { readonly folder: string; write(file: string, text: string): void } {
  const folder = folderBelowRepository()
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('server.ts', server(''))
  write('words.ts', words)
  return { folder, write }
}

async function toolsOf(page: Page, name: string): Promise<readonly string[]> {
  const { items } = await page.ask('lists/all', { server: name, kind: 'tools' })
  return (items as readonly { readonly name: string }[]).map((tool) => tool.name) // what a list gives
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function leftOf(folder: string): Promise<readonly number[]> {
  const pids = readFileSync(join(folder, 'pids.txt~'), 'utf8').trim().split('\n').map(Number)
  for (let tries = 0; tries < 100 && pids.some(isRunning); tries += 1) await sleep(50)
  return pids.filter(isRunning)
}

test('a change brings the new tool, and leaves the page its collections and preferences', async () => {
  const { folder, write } = project()
  await using dev = await startDev(folder, 'server.ts')
  const ready = await dev.next()
  using page = await enterPage(ready.url)
  expect(await dev.next()).toMatchObject({ event: 'started' })
  expect(await toolsOf(page, 'server.ts')).toEqual(['greet'])
  await page.ask('collections/save', { name: 'mine', variables: {}, requests: [] })
  await page.ask('preferences/save', { theme: 'dark' })

  write('server.ts', server(`server.tool('part', {}, () => 'Goodbye.')`))

  expect(await dev.next()).toMatchObject({ event: 'restarted', changed: 'server.ts' })
  expect(await toolsOf(page, 'server.ts')).toEqual(['part', 'greet'])
  expect(await page.ask('state/get', {})).toMatchObject({
    collections: [{ name: 'mine' }],
    preferences: { theme: 'dark' },
    servers: [{ name: 'server.ts', state: 'ready' }],
  })
})

test('a module written as .js is found as .ts, and a change of it counts', async () => {
  const { folder, write } = project()
  await using dev = await startDev(folder, 'server.ts')
  const { url } = await dev.next()
  await dev.next()

  write('words.ts', words.replace('Hello', 'Welcome'))

  expect(await dev.next()).toMatchObject({ event: 'restarted', changed: 'words.ts' })
  using page = await enterPage(url)
  const outcome = await page.ask('runs/start', {
    server: 'server.ts',
    run: 'one',
    method: 'tools/call',
    params: { name: 'greet', arguments: {} },
  })
  expect(JSON.stringify(outcome)).toContain('Welcome kindly')
})

test('a mistake is told with its line, and the next good save recovers', async () => {
  const { folder, write } = project()
  write('words.ts', 'export const greeting: string = ')
  await using dev = await startDev(folder, 'server.ts')
  await dev.next()

  const first = await dev.next()
  write('words.ts', words)
  const second = await dev.next()
  write('words.ts', `${words}throw new Error('not today')`)
  const third = await dev.next()
  write('words.ts', words)
  const fourth = await dev.next()

  expect(first).toMatchObject({ event: 'failed' })
  expect(first.stderr).toContain('words.ts:1:')
  expect(second).toMatchObject({ event: 'restarted' })
  expect(third.stderr).toContain('not today')
  expect(fourth).toMatchObject({ event: 'restarted' })
})

test('files that are replaced, new folders and folders made again count; node_modules does not', async () => {
  const { folder, write } = project()
  mkdirSync(join(folder, 'node_modules'))
  await using dev = await startDev(folder, 'server.ts')
  await dev.next()
  await dev.next()
  const changes: string[] = []
  const change = async (work: () => void) => {
    work()
    changes.push((await dev.next()).changed)
  }

  write('node_modules/a.js', '')
  await sleep(400) // longer than changes are gathered
  await change(() => {
    write('words.ts.new~', words)
    renameSync(join(folder, 'words.ts.new~'), join(folder, 'words.ts'))
  })
  for (const round of [1, 2]) {
    await change(() => mkdirSync(join(folder, 'lib')))
    await change(() => write('lib/a.ts', `export const a = ${round}`))
    await change(() => rmSync(join(folder, 'lib'), { recursive: true }))
  }

  const again = ['lib', 'lib/a.ts', 'lib/a.ts']
  expect(changes).toEqual(['words.ts', ...again, ...again])
})

test('a command behind -- is started anew too', async () => {
  const { folder, write } = project()
  const own = repositoryFile('packages/cli/dist/main.js')
  await using dev = await startDev(folder, '--', execPath, own, 'serve', 'server.ts')
  const { url } = await dev.next()
  await dev.next()

  write('server.ts', server(`server.tool('part', {}, () => 'Goodbye.')`))

  expect(await dev.next()).toMatchObject({ event: 'restarted', changed: 'server.ts' })
  using page = await enterPage(url)
  expect(await toolsOf(page, 'node')).toEqual(['part', 'greet'])
})

test('Ctrl+C ends everything, also in the middle of a start', async () => {
  const { folder, write } = project()
  const dev = await startDev(folder, 'server.ts')
  await dev.next()
  await dev.next()
  write('words.ts', words)
  await dev.next()
  write('words.ts', words)
  await sleep(250) // about when it is started anew

  const code = await dev.interrupt()

  expect(code).toBe(0)
  expect(await leftOf(folder)).toEqual([])
})

test('in a terminal l prints another link', async () => {
  const { folder } = project()
  const ended = new AbortController()
  const links: string[] = []

  const { stderr } = await run(['dev', '--no-open', 'server.ts'], {
    cwd: folder,
    env: { PARLEY_STATE: join(folder, '.home') },
    input: 'l',
    isTTY: true,
    signal: ended.signal,
    onStdout(text) {
      if (text.includes('#')) links.push(text)
      if (links.length === 2) ended.abort()
    },
  })

  expect(stderr).toContain('l: new link')
  expect(new Set(links).size).toBe(2)
})

test.each([
  [['dev'], 'no server was named'],
  [['dev', '--'], 'no server was named'],
  [['dev', 'server.ts', '--', 'node'], 'no server was named'],
  [['dev', 'missing.ts'], 'file not found: missing.ts'],
  [['dev', 'server.ts', '--watch', 'missing'], 'folder not found'],
])('%j says what is missing', async (argv, said) => {
  const { folder } = project()

  const { code, stderr } = await run(argv, { cwd: folder })

  expect(code).toBe(1)
  expect(stderr).toContain(said)
})
