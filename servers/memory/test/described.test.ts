import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll } from 'vitest'

import { describeServer } from '../../../test-support/described-server.ts'
import { createMemoryServer, extras } from '../src/memory.ts'
import { entityLine } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'memory.jsonl')
writeFileSync(file, `${entityLine('Ada Lovelace')}\n`)
writeFileSync(join(folder, 'memory.work.jsonl'), `${entityLine('Engine')}\n`)

await describeServer(
  () => createMemoryServer({ file, enable: extras }),
  [
    { uri: 'memory://entities/{name}', argument: 'name', typed: 'ada', offered: 'Ada Lovelace' },
    { uri: 'memory://graphs/{graph}', argument: 'graph', typed: 'w', offered: 'work' },
  ],
)
