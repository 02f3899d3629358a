/** Writes entities through the program's own server until it is done, or dies in the middle of a write. */

import { appendFileSync } from 'node:fs'

import { withFileLock } from '@parley/auth/node'
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
  process.stdout.write(`${JSON.stringify(numbers.map((number) => `${name}-${number}`))}\n`)
}
await client.close()

/** Half a line, with the lock held, and the end. */
async function die() {
  const folder = file.slice(0, file.lastIndexOf('/'))
  const { open, readFile, unlink } = await import('node:fs/promises')
  const path = (one) => `${folder}/${one}`
  const files = {
    path,
    read: (one) => readFile(path(one), 'utf8').catch(() => undefined),
    create: async (one, text) => {
      const handle = await open(path(one), 'wx').catch(() => undefined)
      await handle?.writeFile(text)
      await handle?.close()
      return handle !== undefined
    },
    remove: (one) =>
      unlink(path(one)).then(
        () => true,
        () => false,
      ),
  }
  const lock = `${file.slice(folder.length + 1)}.lock`
  await withFileLock(
    files,
    lock,
    async () => {
      appendFileSync(file, '{"type":"entity","name":"half of a li')
      process.kill(process.pid, 'SIGKILL')
    },
    { timeoutMs: 60_000 },
  )
}
