import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { packageName } from '../../src/init/package-name.ts'
import { run } from '../run.ts'

test.each([
  ['my-server', 'my-server'],
  ['My Server!', 'my-server'],
  ['_hidden', 'hidden'],
  ['.config', 'config'],
  ['Über größe', 'uber-gro-e'],
  ['日本', 'mcp-project'],
  ['', 'mcp-project'],
  ['node_modules', 'node_modules-project'],
  ['zod', 'zod-project'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('a folder %j is the package %j', (folder, name) => {
  expect(packageName(folder)).toBe(name)
})

test('npm takes every name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (folder) => {
      const name = packageName(folder)

      expect(name).toMatch(/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/)
      expect(name.length).toBeLessThanOrEqual(214)
    }),
  )
})

test('the folder is made, and what comes next is said', async () => {
  const cwd = folderWith({})

  const { code, stdout, stderr } = await run(['init', 'deep/My server'], { cwd })

  const folder = join(cwd, 'deep/My server')
  expect(code).toBe(0)
  expect(stdout).toBe(`${folder}: 7 files\n`)
  expect(stderr).toBe(`next: cd 'deep/My server' && npm install && npm test\n`)
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-server',
    bin: { 'my-server': 'dist/main.js' },
  })
})

test('--json names the files', async () => {
  const cwd = folderWith({})

  const { stdout } = await run(['init', '--kind', 'client', '--json'], { cwd })

  const { folder, files } = JSON.parse(stdout) as { folder: string; files: readonly string[] } // what it prints
  expect(folder).toBe(cwd)
  expect(files).toEqual([
    'package.json',
    'tsconfig.json',
    '.gitignore',
    'src/client.ts',
    'src/client.test.ts',
    'README.md',
  ])
})

test('a client depends on the SDK, and not on the command', async () => {
  const cwd = folderWith({})

  await run(['init', '--kind', 'client'], { cwd })

  const written = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as object
  expect(written).toMatchObject({ dependencies: { '@parley/mcp': expect.any(String) } })
  expect(JSON.stringify(written)).not.toContain('@parley/cli')
})

test('a folder that is not empty is left alone, unless told otherwise', async () => {
  const cwd = folderWith({ 'notes.txt': 'mine', 'README.md': 'mine' })

  const rejected = await run(['init'], { cwd })
  const before = readdirSync(cwd)
  const forced = await run(['init', '--force'], { cwd })

  expect(rejected.code).toBe(1)
  expect(rejected.stderr).toContain('is not empty')
  expect(before).toEqual(['README.md', 'notes.txt'])
  expect(forced.code).toBe(0)
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine')
})

test('a folder with nothing but a repository is empty', async () => {
  const cwd = folderWith({})
  mkdirSync(join(cwd, '.git'))

  expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
})

test.each([
  [['init', 'file'], 'is not a folder'],
  [['init', '--kind', 'gateway'], 'Use server, client or app.'],
])('%j is refused', async (argv, said) => {
  const cwd = folderWith({})
  writeFileSync(join(cwd, 'file'), '')

  const { code, stderr } = await run(argv, { cwd })

  expect(code).toBe(1)
  expect(stderr).toContain(said)
})
