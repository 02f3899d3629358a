import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { recordTranscript } from '../published/transcript.mjs'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'compat-')))

test.each([
  ['server-everything', [], {}],
  ['server-filesystem', [folder], {}],
  ['server-memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.json') }],
  ['server-sequential-thinking', [], {}],
])('%s answers the same on this package', async (name, args, env) => {
  const modules = new URL('../../../node_modules/@modelcontextprotocol/', import.meta.url)
  const file = fileURLToPath(new URL(`${name}/dist/index.js`, modules))

  const own = await recordTranscript(file, args, 'parley', env)

  expect(own).toEqual(await recordTranscript(file, args, 'official', env))
  expect(own.length).toBeGreaterThan(10)
})
