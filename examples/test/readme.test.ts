import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { readPrograms } from './doc-programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const runner = fileURLToPath(new URL('./fixtures/run-example.mjs', import.meta.url))

test('the first two programs of the README talk to each other', async () => {
  const folder = join(root, '.parley/readme')
  const [server, client] = readPrograms(root, 'README.md')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'notes.ts'), server?.code ?? '')
    writeFileSync(join(folder, 'client.ts'), client?.code ?? '')
    // In place of what a compiler would make of notes.ts.
    const [path, source] = [runner, join(folder, 'notes.ts')].map((file) => JSON.stringify(file))
    writeFileSync(
      join(folder, 'notes.js'),
      `process.argv.splice(1, 1, ${path}, ${source})\nawait import(${path})\n`,
    )

    const program = [runner, join(folder, 'client.ts')]
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: folder })

    expect(client?.expected).toHaveLength(1)
    expect(stdout.trimEnd().split('\n')).toEqual(client?.expected)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
