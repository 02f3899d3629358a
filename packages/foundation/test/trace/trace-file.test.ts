import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createTraceWriter, readTrace, readTraceFile, writeTrace } from '../../src/trace/index.ts'
import { answer, call, record } from './made.ts'

test('what is written is read again', () => {
  const trace = record()
  trace.out(call(1, 'a'))
  trace.in(answer(1, 'done'))

  const { header, records, problems } = readTrace(writeTrace(trace.all(), 'test'))

  expect(records).toEqual(trace.all())
  expect(header).toMatchObject({ trace: 1, program: 'test' })
  expect(problems).toEqual([])
})

test('a bad line costs that line, and is named', () => {
  const trace = record()
  trace.out(call(1, 'a'))
  trace.out(call(2, 'b'))
  const [header, first, second] = writeTrace(trace.all()).split('\n')

  const read = readTrace([header, 'garbage', first, '{"seq":"x"}', '', '[]', second].join('\n'))

  expect(read.records.map(({ seq }) => seq)).toEqual([1, 2])
  expect(read.problems.map(({ line }) => line)).toEqual([2, 4, 6])
})

test('a newer version is read as far as it goes, and said to be newer', () => {
  const { problems } = readTrace('{"trace":99,"at":1}\n')

  expect(problems).toEqual([{ line: 1, message: 'version 99 is newer than this program' }])
})

test('whatever the text, reading ends with records and problems', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
      const { records, problems } = readTrace(lines.join('\n'))
      expect(records.length + problems.length).toBeLessThanOrEqual(
        lines.join('\n').split('\n').length,
      )
    }),
  )
})

test('a writer appends in order, for our user only', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'trace-')), 'trace.jsonl')
  const trace = record()
  await using writer = createTraceWriter(path, { program: 'test' })
  for (let id = 1; id <= 100; id += 1) writer.write(trace.out(call(id, 'a')))
  await writer.flush()
  writer.write(trace.out(call(101, 'a')))
  await writer.flush()

  const { records, problems } = await readTraceFile(path)

  expect(records.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 101 }, (_, index) => index + 1),
  )
  expect(problems).toEqual([])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a file that has grown makes room for a new one, and old ones go', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trace-'))
  const path = join(folder, 'trace.jsonl')
  const trace = record()
  await using writer = createTraceWriter(path, { bytes: 500, keep: 2 })
  for (let id = 1; id <= 40; id += 1) {
    writer.write(trace.out(call(id, 'x'.repeat(200))))
    await writer.flush()
  }

  const files = (await readdir(folder)).toSorted()
  const newest = await readTraceFile(path)

  expect(files).toEqual(['trace.jsonl', 'trace.jsonl.1', 'trace.jsonl.2'])
  expect(newest.records.at(-1)?.seq).toBe(40)
  for (const file of files)
    expect(await readFile(join(folder, file), 'utf8')).toMatch(/^\{"trace":1/)
})

test('a writer that cannot write says so when asked', async () => {
  const writer = createTraceWriter('/nonexistent/folder/trace.jsonl')
  writer.write(record().out(call(1, 'a')))

  await expect(writer.flush()).rejects.toThrow('ENOENT')
})
