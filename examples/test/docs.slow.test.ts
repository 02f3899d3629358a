import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { readPrograms, type DocProgram } from './doc-programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.parley/docs')
const programs = findPages().flatMap((page) => readPrograms(root, page))

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const kind of ['checked', 'fragments']) mkdirSync(join(folder, kind), { recursive: true })
  for (const program of programs) writeFileSync(fileOf(program), `${program.code}export {}\n`)
  writeConfig('checked', { noUnusedLocals: false, noPropertyAccessFromIndexSignature: false })
  writeConfig('fragments', { noCheck: true })
})
// Programs run in this process, and others after them.
const environment = new Set(Object.keys(process.env))
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!environment.has(name)) delete process.env[name]
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('there are programs in the documentation', () => {
  expect(programs.length).toBeGreaterThan(40)
})

test('every program in the documentation has correct types', async () => {
  expect(await compile('checked')).toEqual([])
})

test('every fragment in the documentation has correct syntax', async () => {
  expect(await compile('fragments')).toEqual([])
})

describe('the documentation prints what it says', () => {
  const runnable = programs.filter(({ mode }) => mode === 'run')
  test.each(runnable.map((program) => [`${program.page}:${program.line}`, program] as const))(
    '%s',
    async (_, program) => {
      const printed: string[] = []
      const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
        printed.push(...values.map(show).join(' ').split('\n'))
      })
      try {
        await import(fileOf(program))
      } finally {
        log.mockRestore()
      }

      expect(program.expected.length, 'a program that is run says what it prints').toBeGreaterThan(
        0,
      )
      expect(printed).toEqual(program.expected)
    },
  )
})

function findPages(): readonly string[] {
  const folders = ['docs', 'docs/cli', 'docs/internals', 'examples']
  const servers = readdirSync(join(root, 'servers')).map((name) => `servers/${name}/README.md`)
  const single = ['README.md', 'packages/mcp/README.md', 'site/landing.md']
  return [...single, ...folders.flatMap(list), ...servers]
}

function list(of: string): readonly string[] {
  const names = readdirSync(join(root, of)).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => `${of}/${name}`)
}

function fileOf({ page, line, mode }: DocProgram): string {
  const name = `${page.replaceAll('/', '-').replace(/\.md$/, '')}-${line}.ts`
  return join(folder, mode === 'fragment' ? 'fragments' : 'checked', name)
}

function writeConfig(kind: string, compilerOptions: object): void {
  const config = { extends: '../../../tsconfig.test.json', compilerOptions, include: ['.'] }
  writeFileSync(join(folder, kind, 'tsconfig.json'), JSON.stringify(config))
}

/** What the compiler says about our pages, as `docs/tools.md:12: …`. The sources it reads are checked elsewhere. */
async function compile(kind: string): Promise<readonly string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', join(folder, kind), '--pretty', 'false']
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) => {
      if (error && stdout === '') reject(new Error(stderr, { cause: error }))
      else resolve(stdout)
    })
  })
  const byFile = new Map(programs.map((program) => [fileOf(program), program.page]))
  return output.split('\n').flatMap((problem) => {
    const [, file = '', line, text] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(problem) ?? []
    const page = byFile.get(join(root, file))
    return page === undefined ? [] : [`${page}:${line}: ${text}`]
  })
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { breakLength: Infinity, depth: 9 })
}
