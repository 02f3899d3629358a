import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'

import { afterEach, expect, test } from 'vitest'

import { commonJsTypes } from '../pack-check/inspections.mjs'
import { commonJsProgram } from '../pack-check/programs.mjs'
import { root } from '../source-files.mjs'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

/** Inside the repository, so that our packages are found as they were built. */
function createFolder(files: Record<string, string>): string {
  const directory = mkdtempSync(join(root, 'examples/commonjs-'))
  directories.push(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

test('require and import get one copy of everything', async () => {
  const cwd = createFolder({ 'main.cjs': commonJsProgram })

  const { stdout, stderr } = await promisify(execFile)(execPath, ['main.cjs'], { cwd })

  expect(stdout).toBe('hello\ntrue\n')
  expect(stderr).not.toContain('Error')
})

test('a CommonJS file finds types of values, classes and interfaces', async () => {
  const compilerOptions = {
    module: 'node16',
    strict: true,
    noEmit: true,
    target: 'es2022',
    types: ['node'],
  }
  const cwd = createFolder({
    'main.cts': `${commonJsTypes}\n// @ts-expect-error: it is not just any\nexport const wrong: number = open()\n`,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.cts'] }),
  })

  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(execPath, [tsc, '-p', '.'], { cwd })

  expect(stdout).toBe('')
})
