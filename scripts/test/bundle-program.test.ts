import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import { bundleProgram } from '../bundle-program.mjs'
import { loadedFiles } from '../loaded-files.mjs'
import { root } from '../source-files.mjs'
import { readWorkspaces } from '../workspaces.mjs'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

/** A program of two files that uses a small part of a package, and loads a third one when it is asked to. */
function createProgram(): string {
  const directory = mkdtempSync(join(tmpdir(), 'program-'))
  directories.push(directory)
  const files = {
    'package.json': JSON.stringify({ type: 'module' }),
    'src/main.ts':
      "import { z } from 'zod'\nimport { word } from './word.ts'\nif (word) await import('./later.ts')\nexport const made = z.string()",
    'src/word.ts': "export const word: string = ''",
    'src/later.ts': "console.log('later')",
    'node_modules/zod/package.json': JSON.stringify({
      name: 'zod',
      version: '9.9.9',
      license: 'MIT',
      type: 'module',
      exports: './index.js',
      sideEffects: false,
    }),
    'node_modules/zod/index.js':
      "export const z = { string: () => 'text' }\nexport * as locales from './locales.js'",
    'node_modules/zod/locales.js': "export const words = 'not needed'",
    'node_modules/zod/LICENSE': 'Copyright somebody',
    'dist/main.js': '// as the compiler writes it',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  return directory
}

describe('a program in one file', () => {
  test('has what its start needs, and licences of others; the rest is loaded later', async () => {
    const directory = createProgram()

    await bundleProgram(directory)

    const dist = join(directory, 'dist')
    const main = readFileSync(join(dist, 'bundle/main.js'), 'utf8')
    expect(loadedFiles(dist, 'main.js').toSorted()).toEqual(['bundle/main.js', 'main.js'])
    expect(readFileSync(join(dist, 'main.js'), 'utf8')).toMatch(/^#!/)
    expect(main).toContain('text')
    expect(main).not.toMatch(/not needed|console\.log/)
    expect(existsSync(join(dist, 'bundle/later.js'))).toBe(true)
    expect(readFileSync(join(dist, 'bundle/licenses.txt'), 'utf8')).toBe(
      'zod 9.9.9 (MIT)\n\nCopyright somebody\n',
    )
  })

  test('is made again when a source changed, or the compiler wrote its start anew', async () => {
    const directory = createProgram()

    expect(await bundleProgram(directory)).toBe(true)
    expect(await bundleProgram(directory)).toBe(false)
    writeFileSync(join(directory, 'src/word.ts'), "export const word: string = 'said'")
    expect(await bundleProgram(directory)).toBe(true)
    writeFileSync(join(directory, 'dist/main.js'), '// as the compiler writes it')
    expect(await bundleProgram(directory)).toBe(true)
    expect(await bundleProgram(directory)).toBe(false)
  })
})

const servers = readWorkspaces(root).filter(({ folder }) => folder.startsWith('servers/'))

test.each(servers.map(({ name, folder }) => [name, folder] as const))(
  '%s opens few files of its own when it starts',
  (_, folder) => {
    const files = loadedFiles(join(root, folder, 'dist'), 'main.js')

    expect(files.length).toBeLessThan(6)
  },
)
