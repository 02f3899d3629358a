/** Writes entities through the program's own server until it is done, or dies in the middle of a write. */

import { appendFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

import { connect } from '@parley/mcp/client'
import { createMemoryServer } from '@parley/server-memory'

const [, , file, name, count, fate] = process.argv
const client = await connect(createMemoryServer({ file }))
const together = 20

for (let first = 0; first < Number(count); first += together) {
  if (fate === 'dies' && first >= Number(count) / 2) await die()
  const numbers = Array.from(
    { length: Math.min(together, count - first) },
    (_, index) => first + index,
  )
  await Promise.all(
    numbers.map(async (number) => {
      const entity = { name: `${name}-${number}`, entityType: 'entry', observations: ['x'] }
      const { isError } = await client.callTool('create_entities', { entities: [entity] })
      if (isError) throw new Error('not written')
    }),
  )
  if (first % 100 === 0) {
    // Replaces the whole file, which would lose what others add meanwhile.
    const observations = [{ entityName: `${name}-${first}`, contents: ['changed'] }]
    const { isError } = await client.callTool('add_observations', { observations })
    if (isError) throw new Error('not changed')
  }
  process.stdout.write(`${JSON.stringify(numbers.map((number) => `${name}-${number}`))}\n`)
}
await client.close()

/** Half a line, with the lock held, and the end. */
async function die() {
  while (!isLocked()) await wait(5)
  appendFileSync(file, '{"type":"entity","name":"half of a li')
  process.kill(process.pid, 'SIGKILL')
}

function isLocked() {
  try {
    writeFileSync(`${file}.lock`, 'about to die', { flag: 'wx' })
    return true
  } catch {
    return false // another process has it
  }
}
