import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { runServer } from '@parley/server-kit/program'
import { afterAll } from 'vitest'

import { describeReachable } from '../../../test-support/reachable-program.ts'
import { filesystemProgram } from '../src/program.ts'
import { referenceTools } from './reference.ts'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'files-')))
await writeFile(join(folder, 'note.txt'), 'forty-two')
afterAll(() => rm(folder, { recursive: true, force: true }))

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run: (surroundings) => runServer(filesystemProgram, surroundings),
  args: [folder],
  tools: referenceTools.map(({ name }) => name),
  call: ['read_text_file', { path: 'note.txt' }],
  answer: 'forty-two',
})
