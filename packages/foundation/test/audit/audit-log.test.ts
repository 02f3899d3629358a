import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import {
  openAuditLog,
  readAuditLog,
  verifyAuditLog,
  type AuditLogOptions,
} from '@parley/foundation/audit'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'audit.jsonl')
}

async function write(path: string, count: number, options: Partial<AuditLogOptions> = {}) {
  await using log = openAuditLog({ path, ...options })
  const outcomes = await Promise.all(
    Array.from({ length: count }, (_, index) => log.append({ who: 'ada', index })),
  )
  return outcomes
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

test('appends records as a chain that verifies, in a file for its owner alone', async () => {
  const path = temporaryPath()

  const outcomes = await write(path, 3)
  await write(path, 2)

  expect(outcomes.map((one) => one.written && one.seq)).toEqual([1, 2, 3])
  const verified = await verifyAuditLog(path)
  expect(verified).toMatchObject({ isIntact: true, entries: 5, first: 1, last: { seq: 5 } })
  const records: unknown[] = []
  for await (const { record } of readAuditLog(path)) records.push(record['index'])
  expect(records).toEqual([0, 1, 2, 0, 1])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(path, '..')).toSorted()).toEqual(['audit.jsonl', 'audit.jsonl.head'])
})

test.each([
  ['a changed record', (lines: string[]) => lines.with(1, (lines[1] ?? '').replace('ada', 'eve'))],
  ['a removed entry', (lines: string[]) => lines.toSpliced(1, 1)],
  ['the first entry removed', (lines: string[]) => lines.slice(1)],
  ['the last entry removed', (lines: string[]) => lines.slice(0, -1)],
  ['two entries exchanged', ([a = '', b = '', ...rest]: string[]) => [b, a, ...rest]],
  ['an entry twice', (lines: string[]) => [...lines, lines.at(-1) ?? '']],
  ['a line of another kind', (lines: string[]) => lines.toSpliced(2, 0, 'nothing')],
  [
    'an entry with one more member',
    (lines: string[]) => lines.with(0, (lines[0] ?? '').replace('{', '{"x":1,')),
  ],
  ['everything removed', () => []],
])('notices %s', async (_, change) => {
  const path = temporaryPath()
  await write(path, 5)

  writeFileSync(
    path,
    change(linesOf(path))
      .map((line) => `${line}\n`)
      .join(''),
  )

  const { isIntact, problems } = await verifyAuditLog(path)
  expect(isIntact).toBe(false)
  expect(problems.length).toBeGreaterThan(0)
})

test('an entry that was cut off stays missing, whatever is appended afterwards', async () => {
  const path = temporaryPath()
  await write(path, 5)
  writeFileSync(path, `${linesOf(path).slice(0, 3).join('\n')}\n`)

  await write(path, 4)

  const { problems } = await verifyAuditLog(path)
  expect(problems).toMatchObject([{ kind: 'missing', message: 'entries 4 to 5 are gone' }])
})

test('with a key, a chain made anew without it does not verify', async () => {
  const path = temporaryPath()
  await write(path, 2, { key: 'one that is known to few' })
  expect(await verifyAuditLog(path, { key: 'one that is known to few' })).toMatchObject({
    isIntact: true,
  })

  rmSync(path)
  rmSync(`${path}.head`)
  await write(path, 2, { key: 'a guess' })

  expect(await verifyAuditLog(path, { key: 'one that is known to few' })).toMatchObject({
    isIntact: false,
  })
})

test('notices a log that was rolled back behind an end seen earlier', async () => {
  const path = temporaryPath()
  await write(path, 2)
  const [old, oldHead] = [readFileSync(path), readFileSync(`${path}.head`)]
  await write(path, 1)
  const { last } = await verifyAuditLog(path)

  writeFileSync(path, old)
  writeFileSync(`${path}.head`, oldHead)

  expect(await verifyAuditLog(path)).toMatchObject({ isIntact: true })
  expect(await verifyAuditLog(path, { lastEnd: last })).toMatchObject({ isIntact: false })
})

test('reports a line that a crash cut off, and goes on after it', async () => {
  const path = temporaryPath()
  await write(path, 2)
  appendFileSync(path, '{"seq":3,"at":"2026-')
  expect(await verifyAuditLog(path)).toMatchObject({
    isIntact: true,
    notes: [{ kind: 'torn', line: 3 }],
  })

  await write(path, 2)

  const verified = await verifyAuditLog(path)
  expect(verified).toMatchObject({ isIntact: true, entries: 5, notes: [{ kind: 'torn', line: 3 }] })
})

test('a crash is no excuse for a line that was whole', async () => {
  const path = temporaryPath()
  await write(path, 4)

  writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*"seq":2,.*$/m, '{"seq":2,"at":'))

  expect(await verifyAuditLog(path)).toMatchObject({ isIntact: false })
})

test('puts full files aside, keeps so many, and says in the chain which ones went', async () => {
  const path = temporaryPath()
  const options = { fileBytes: 2_000, files: 3 }
  for (let round = 0; round < 12; round += 1) await write(path, 5, options)

  const files = readdirSync(join(path, '..')).filter((name) => !name.endsWith('.head'))
  expect(files).toHaveLength(3)
  const verified = await verifyAuditLog(path)
  expect(verified).toMatchObject({ isIntact: true })
  expect(verified.first).toBeGreaterThan(1)

  unlinkSync(join(path, '..', files.toSorted().at(1) ?? ''))
  expect(await verifyAuditLog(path)).toMatchObject({ isIntact: false })
})

test('several writers continue one chain', async () => {
  const path = temporaryPath()
  const folder = join(path, '..')
  // Other spellings of the path: each takes the lock for itself, as processes of their own would.
  const paths = [path, `${folder}/../${basename(folder)}/audit.jsonl`, `${folder}/./audit.jsonl`]

  const logs = paths.map((one) => openAuditLog({ path: one }))

  await Promise.all(
    logs.map(async (log) => {
      for (let round = 0; round < 18; round += 1) await log.append({ round })
    }),
  )

  expect(await verifyAuditLog(path)).toMatchObject({ isIntact: true, entries: 54, notes: [] })
})

test('a full queue loses records aloud, and the chain says how many', async () => {
  const path = temporaryPath()
  const told: string[] = []
  await using log = openAuditLog({
    path,
    queuedRecords: 3,
    onProblem: (message) => told.push(message),
  })

  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, index) => log.append({ index })),
  )
  await log.append({ index: 10 })

  expect(outcomes.filter(({ written }) => written)).toHaveLength(3)
  expect(outcomes.at(-1)).toMatchObject({ written: false, reason: 'full' })
  expect(log.lost).toBe(7)
  expect(told[0]).toContain('losing records')
  expect(told).toHaveLength(2)
  const { notes, isIntact } = await verifyAuditLog(path)
  expect(isIntact).toBe(true)
  expect(notes).toMatchObject([
    { kind: 'dropped', message: '7 records were lost before this entry' },
  ])
})

test('a file that cannot be written is an outcome, not an exception', async () => {
  const path = temporaryPath()
  symlinkSync('/dev/null', path)
  const told: string[] = []
  await using log = openAuditLog({ path, onProblem: (message) => told.push(message) })

  const outcome = await log.append({ who: 'ada' })

  expect(outcome).toMatchObject({ written: false, reason: 'failed' })
  expect(told).toHaveLength(1)
})

test('masks secrets before they are written, and cuts what is too large', async () => {
  const path = temporaryPath()
  await using log = openAuditLog({ path, recordBytes: 500 })

  await log.append({ password: 'hunter2hunter2', header: 'Bearer abcdefghijklmnop', kept: 1 })
  await log.append({ who: 'ada', args: 'x'.repeat(100_000) })
  await log.append(JSON.parse('{"__proto__":{"polluted":true},"who":"eve"}'))
  const refused = await log.append({ $audit: { kind: 'removed', first: 3 } })

  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain('hunter2')
  expect(text).not.toContain('abcdefghijklmnop')
  expect(text).toContain('(100002 bytes left out)')
  expect(text).toContain('__proto__')
  expect(refused).toMatchObject({ written: false, reason: 'refused' })
  expect(await verifyAuditLog(path)).toMatchObject({ isIntact: true, entries: 3 })
})

test('what is JSON comes back as it was, and its chain holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 }),
      async (given) => {
        const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
        const path = join(folder, 'audit.jsonl')
        try {
          await using log = openAuditLog({ path, mask: (record) => record })
          for (const record of given) await log.append(record)
          const found: unknown[] = []
          for await (const { record } of readAuditLog(path)) found.push(record)
          expect(found).toEqual(JSON.parse(JSON.stringify(given)))
          expect((await verifyAuditLog(path)).isIntact).toBe(true)
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      },
    ),
    { numRuns: tries(25), seed: Number(process.env['FC_SEED'] ?? 7) },
  )
})
