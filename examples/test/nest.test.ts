import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { readPrograms } from './doc-programs.ts'

/**
 * Nest and what it needs are 40 MB. `.ci/run` fetches them; to run these tests by hand:
 *
 *     npm install --no-save --prefix FOLDER @nestjs/{core,common,platform-express,platform-fastify}@12 rxjs reflect-metadata
 *     PARLEY_NEST=FOLDER npx vitest run examples/test/nest.test.ts
 */
const folder = process.env['PARLEY_NEST']

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = 'docs/frameworks.md'
const programs = readPrograms(root, page).filter(({ code }) => code.includes('@nestjs/'))

/** Tests find the sources of our packages; a program of its own runs what was built from them. */
function built(source: string): string {
  return source.replace('/src/', '/dist/').replace(/\.ts$/, '.js')
}

describe('the programs of the page for Nest', () => {
  test('are two: on Express, and on Fastify', () => {
    expect(programs.map(({ expected }) => expected)).toEqual([['buy milk, water plants'], ['tock']])
  })

  test.skipIf(folder === undefined).each(programs)(
    'line $line prints what it says',
    async ({ code, expected }) => {
      // In that folder, where Nest is found; our own packages are found from here.
      const home = await mkdtemp(join(folder ?? '', 'program-'))
      const ours = createRequire(import.meta.url)
      const file = join(home, 'program.mjs')
      await writeFile(
        file,
        code.replaceAll(/'(@parley\/[^']+)'/g, (_, name: string) =>
          JSON.stringify(pathToFileURL(built(ours.resolve(name))).href),
        ),
      )

      const { stdout } = await promisify(execFile)(execPath, [file], { timeout: 60_000 })

      expect(stdout.trimEnd().split('\n')).toEqual(expected)
      await rm(home, { recursive: true })
    },
  )
})
