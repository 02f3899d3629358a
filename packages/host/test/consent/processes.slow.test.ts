import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { readAuditLog, verifyAuditLog } from '@parley/foundation/audit'
import { createFileConsentStore } from '@parley/host'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const program = fileURLToPath(new URL('../fixtures/answering-process.mjs', import.meta.url))

test('processes that answer at once lose no answer and no record', async () => {
  const folder = folderWith({})
  const names = ['one', 'two', 'three']

  await Promise.all(
    names.map((name) =>
      promisify(execFile)(execPath, [program, folder, name], { timeout: 90_000 }),
    ),
  )

  const expected = new Set(
    names.flatMap((name) => Array.from({ length: 20 }, (_, at) => `${name}-${at}`)),
  )
  const { answers, seen } = await createFileConsentStore(join(folder, 'consent.json')).read()
  expect(new Set(answers.map(({ tool }) => tool?.name))).toEqual(expected)
  expect(new Set(seen.map(({ tool }) => tool.name))).toEqual(expected)
  const log = join(folder, 'audit.jsonl')
  const calls = new Set<unknown>()
  for await (const { record } of readAuditLog(log)) calls.add(record['call'])
  expect(calls).toEqual(expected)
  expect(await verifyAuditLog(log)).toMatchObject({ isIntact: true, entries: 60 })
})
