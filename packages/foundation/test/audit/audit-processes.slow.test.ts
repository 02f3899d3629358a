import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { readAuditLog, verifyAuditLog } from '@parley/foundation/audit'
import { expect, onTestFinished, test } from 'vitest'

const program = join(import.meta.dirname, 'fixtures/append.mjs')

function start(path: string, name: string, count: number) {
  const child = spawn(execPath, [program, path, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  return { child, lines, reader, ended: once(child, 'close') }
}

test('processes share a chain, and one that is killed while it writes breaks nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'audit.jsonl')

  const lasting = [start(path, 'a', 150), start(path, 'b', 150)]
  const killed = start(path, 'c', 1_000_000)
  killed.reader.on('line', () => {
    if (killed.lines.length === 40) killed.child.kill('SIGKILL')
  })
  await Promise.all([...lasting, killed].map(({ ended }) => ended))

  const verified = await verifyAuditLog(path)
  expect(verified).toMatchObject({ isIntact: true, problems: [] })
  const written = new Map<unknown, number>()
  const sequence = new Set<number>()
  for await (const { seq, record } of readAuditLog(path)) {
    written.set(record['name'], (written.get(record['name']) ?? 0) + 1)
    sequence.add(seq)
  }
  expect(written.get('a')).toBe(150)
  expect(written.get('b')).toBe(150)
  expect(written.get('c')).toBeGreaterThanOrEqual(40)
  for (const line of [...lasting, killed].flatMap(({ lines }) => lines)) {
    expect(sequence.has(Number(line)), line).toBe(true)
  }
})
