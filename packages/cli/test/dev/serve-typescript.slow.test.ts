import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { expect, test } from 'vitest'

import { folderBelowRepository } from '../below-repository.ts'
import { repositoryFile, run } from '../run.ts'

const program = repositoryFile('packages/cli/dist/main.js')

function folderOf(files: { readonly [name: string]: string }): string {
  const folder = folderBelowRepository()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const files = {
  'server.ts': `import { createServer } from '@parley/mcp/server'
import { type Word, word } from './word.ts'
import { other } from './other.mjs'

export const server = createServer({ name: 'mine', version: '1.0.0' })
server.tool('hello', {}, (): Word => \`\${word} \${other satisfies string}\`)
server.tool('fail', {}, () => {
  interface Nothing {
    readonly never: never
  }
  throw new Error('on line 11')
})
`,
  'word.ts': `export type Word = string\nexport const word: Word = 'Hello,'\n`,
  'other.mts': `export const other = 'you' as const\n`,
}

test('serve takes TypeScript, over standard input and output', async () => {
  const cwd = folderOf(files)

  const called = await run(['call', 'server.ts', 'hello'], { cwd })
  const behind = await run(['call', 'hello', '--', execPath, program, 'serve', 'server.ts'], {
    cwd,
  })

  expect(called).toMatchObject({ code: 0, stdout: 'Hello, you\n' })
  expect(behind).toMatchObject({ code: 0, stdout: 'Hello, you\n' })
})

test('errors name the line of the source', async () => {
  const cwd = folderOf(files)

  const { stderr } = await run(['call', 'server.ts', 'fail', '--verbose'], { cwd })

  expect(stderr).toMatch(/server\.ts:11:\d+/)
})

test('serve --http takes TypeScript, and ends when it is told to', async () => {
  const child = spawn(execPath, [program, 'serve', 'server.ts', '--http', '0', '--json'], {
    cwd: folderOf(files),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string] // as documented
  const { name, url } = JSON.parse(line) as { readonly name: string; readonly url: string } // what it prints

  const called = await run(['call', url, 'hello'])
  child.kill('SIGINT')
  const [code] = (await once(child, 'exit')) as [number] // as documented

  expect(name).toBe('mine')
  expect(called.stdout).toBe('Hello, you\n')
  expect(code).toBe(0)
})

test.each([
  ['export const = 1', 'server.ts:1:'],
  [`import './missing.js'`, 'missing.js'],
  ['export const server: number = 1', 'exports no server'],
])(
  'serve of %j says what is wrong',
  async (text, said) => {
    const cwd = folderOf({ 'server.ts': text })

    const { code, stderr } = await run(['list', 'server.ts'], { cwd })

    expect(code).toBe(4)
    expect(stderr).toContain(said)
  },
  30_000,
)
