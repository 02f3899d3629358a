import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { runServer } from '@parley/server-kit/program'
import { afterAll } from 'vitest'

import { describeReachable } from '../../../test-support/reachable-program.ts'
import { memoryProgram } from '../src/program.ts'
import { referenceTools } from './reference.ts'

const folder = await mkdtemp(join(tmpdir(), 'memory-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run: (surroundings) => runServer(memoryProgram, surroundings),
  args: ['--file', join(folder, 'memory.jsonl')],
  tools: referenceTools.map(({ name }) => name),
  call: ['open_nodes', { names: ['Ada'] }],
  answer: '"entities": []',
})
