import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterEach, expect, test } from 'vitest'

import { bundlePackage } from '../bundle.mjs'
import { keepPublicTypes } from '../public-types.mjs'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
}

/** Two entries that share a module, and one chosen by platform. */
function createPackage(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bundle-'))
  directories.push(directory)
  const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })
  const platform = { node: './dist/on-node.js', default: './dist/elsewhere.js' }
  writeFiles(directory, {
    'package.json': JSON.stringify({
      type: 'module',
      sideEffects: false,
      imports: { '#platform': platform },
      exports: { './one': entry('one'), './two': entry('two') },
    }),
    'src/shared.ts': 'export class Shared extends Error {}',
    'src/one.ts': "export { Shared } from './shared.ts'\nexport { platform } from '#platform'",
    'src/two.ts':
      "import { Shared } from './shared.ts'\nexport const make = (): Shared => new Shared()",
    'src/on-node.ts': "export const platform = 'node'",
    'src/elsewhere.ts': "export const platform = 'other'",
  })
  return directory
}

test('entries share their modules, and what depends on the platform is chosen when it runs', async () => {
  const directory = createPackage()

  await bundlePackage(directory)

  const one = await import(pathToFileURL(join(directory, 'dist/one.js')).href)
  const two = await import(pathToFileURL(join(directory, 'dist/two.js')).href)
  expect(two.make()).toBeInstanceOf(one.Shared)
  expect(one.platform).toBe('node')
  expect(readFileSync(join(directory, 'dist/elsewhere.js'), 'utf8')).toContain('"other"')
})

test('nothing is made again while sources and files are as they were', async () => {
  const directory = createPackage()

  expect(await bundlePackage(directory)).toBe(true)
  expect(await bundlePackage(directory)).toBe(false)
  rmSync(join(directory, 'dist/two.js'))
  expect(await bundlePackage(directory)).toBe(true)
  expect(await bundlePackage(directory)).toBe(false)
  writeFiles(directory, { 'src/elsewhere.ts': "export const platform = 'changed'" })
  expect(await bundlePackage(directory)).toBe(true)
})

test('files of former sources are removed, declarations are not', async () => {
  const directory = createPackage()
  writeFiles(directory, { 'dist/chunks/former.js': '', 'dist/one.d.ts': '' })

  await bundlePackage(directory)

  const files = readdirSync(join(directory, 'dist'), { recursive: true })
  expect(files).not.toContain(join('chunks', 'former.js'))
  expect(files).toContain('one.d.ts')
})

test('an import that cannot be resolved fails the build', async () => {
  const directory = createPackage()
  writeFiles(directory, { 'src/one.ts': "export { nothing } from './absent.ts'" })

  await expect(bundlePackage(directory)).rejects.toThrow('absent.ts')
})

test('declarations that no entry leads to are not published', () => {
  const directory = createPackage()
  writeFiles(directory, {
    'dist/one.d.ts': "export type { A } from './deep/a.ts';",
    'dist/two.d.ts': 'export declare const b: import("./b.ts").B;',
    'dist/deep/a.d.ts': "import '../side.ts';\nexport interface A {}",
    'dist/b.d.ts': 'export interface B {}',
    'dist/side.d.ts': 'export {};',
    'dist/inside.d.ts': 'export {};',
  })

  expect(keepPublicTypes(directory)).toEqual([])

  const files = readdirSync(join(directory, 'dist'), { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => file.endsWith('.d.ts')).toSorted()).toEqual(
    ['b.d.ts', join('deep', 'a.d.ts'), 'one.d.ts', 'side.d.ts', 'two.d.ts'].toSorted(),
  )
})

test('declarations are indented by tabs, and what is aligned by single spaces stays so', () => {
  const directory = createPackage()
  writeFiles(directory, {
    'dist/one.d.ts':
      'export interface A {\n    /**\n     * Said.\n     */\n    b: {\n        c: 1;\n    };\n}\n',
    'dist/two.d.ts': 'export {};',
  })

  keepPublicTypes(directory)

  expect(readFileSync(join(directory, 'dist/one.d.ts'), 'utf8')).toBe(
    'export interface A {\n\t/**\n\t * Said.\n\t */\n\tb: {\n\t\tc: 1;\n\t};\n}\n',
  )
})

test('declarations that no entry exports from by name have no comments', () => {
  const directory = createPackage()
  const documented = '/** Said. */\nexport interface A {\n    /** Said too. */\n    b: 1;\n}\n'
  writeFiles(directory, {
    'dist/one.d.ts': "export type { A } from './named.ts';",
    'dist/two.d.ts': 'export {};',
    'dist/named.d.ts': `import type { A as B } from './inside.ts';\n${documented}`,
    'dist/inside.d.ts': documented,
  })

  keepPublicTypes(directory)

  const read = (name: string) => readFileSync(join(directory, 'dist', name), 'utf8')
  expect(read('named.d.ts')).toContain('/** Said too. */')
  expect(read('inside.d.ts')).toBe('export interface A {\n\tb: 1;\n}\n')
})

test('a declaration that an entry leads to and that is missing is told, and nothing removed', () => {
  const directory = createPackage()
  writeFiles(directory, {
    'dist/one.d.ts': "export type { A } from './a.ts';",
    'dist/two.d.ts': 'export {};',
    'dist/inside.d.ts': 'export {};',
  })

  expect(keepPublicTypes(directory)).toEqual([join(directory, 'dist/a.d.ts')])

  expect(readdirSync(join(directory, 'dist'))).toContain('inside.d.ts')
})
