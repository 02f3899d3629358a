import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { isThorough } from '../../../test-support/thorough.ts'
import type { Entity } from '../src/graph/record.ts'
import { freshFile, openMemory } from './support.ts'

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url))

/** Starts a process that writes; resolves to what it was told is written, and how it ended. */
async function write(file: string, name: string, count: number, fate: 'lives' | 'dies') {
  const child = spawn(execPath, [writer, file, name, String(count), fate], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const acknowledged: string[] = []
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(...(JSON.parse(line) as string[])) // an array of names
  }
  const [code, signal] = (await exit) as [number | null, string | null] // as `exit` says
  return { acknowledged, end: signal ?? code }
}

/** Of each process. */
const count = isThorough ? 1_000 : 200

test('ten processes write at once, one dies in the middle of a write, and nothing acknowledged is lost', async () => {
  const file = await freshFile()

  const writers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      write(file, `p${index}`, count, index === 3 ? 'dies' : 'lives'),
    ),
  )
  await using client = await openMemory({ file })
  const { structuredContent } = await client.callTool('read_graph')

  expect(writers.map(({ end }) => end)).toEqual([0, 0, 0, 'SIGKILL', 0, 0, 0, 0, 0, 0])
  const { entities } = structuredContent as { entities: Entity[] } // an answer of ours
  const names = entities.map(({ name }) => name)
  const changed = entities.filter(({ observations }) => observations.includes('changed'))
  const acknowledged = writers.flatMap((one) => one.acknowledged)
  expect(acknowledged).toHaveLength(9.5 * count)
  expect(new Set(names).size).toBe(names.length)
  expect(acknowledged.filter((name) => !names.includes(name))).toEqual([])
  expect(changed).toHaveLength((95 * count) / 1_000)
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) JSON.parse(line)
  expect(await readFile(`${file}.unreadable`, 'utf8')).toBe(
    '{"type":"entity","name":"half of a li\n',
  )
})
