import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { everyKind, openDatabases, type Databases } from '../databases.ts'
import { openRegistry, versionsIn } from '../registry-under-test.ts'

const program = fileURLToPath(new URL('../fixtures/publisher.mjs', import.meta.url))

/** Publishes in another process until this many were acknowledged, and kills it there. */
async function publishUntilKilled(database: string, word: string, most: number) {
  const child = spawn(execPath, [program, database, word], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: string[] = []
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line)
    if (acknowledged.length === most) child.kill('SIGKILL')
  }
  return acknowledged
}

describe.each(everyKind)('a publisher killed on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  it('has lost nothing that was acknowledged, and doubled nothing', async () => {
    const database = await databases.create()
    const name = 'io.modelcontextprotocol.anonymous'
    const told = await Promise.all([
      publishUntilKilled(database, 'one', 25),
      publishUntilKilled(database, 'two', 40),
    ])
    await using registry = await openRegistry({ database })
    for (const [index, word] of ['one', 'two'].entries()) {
      const answer = await registry.ask(`servers/${name}%2F${word}/versions`)
      const stored = versionsIn(answer)
      for (const version of told[index] ?? []) {
        expect(stored.map((one) => one.replace('*', ''))).toContain(`${name}/${word}@${version}`)
      }
      expect(stored.filter((one) => one.endsWith('*'))).toEqual([
        `${name}/${word}@1.0.${stored.length}*`,
      ])
      // The index of substrings was written in the same transaction.
      const found = await registry.ask(`servers?search=${name}/${word}&version=latest`)
      expect(versionsIn(found)).toHaveLength(1)
    }
  })

  it('is made once by several that open it new', async () => {
    const database = await databases.createEmpty()
    const words = ['one', 'two', 'three', 'four']

    const told = await Promise.all(words.map((word) => publishUntilKilled(database, word, 1)))

    expect(told.map(([first]) => first)).toEqual(words.map(() => '1.0.1'))
  })
})
