import { appendFile, readFile, rm } from 'node:fs/promises'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { drop, freshPath, openNotes, put } from './support.ts'

const step = fc.record({
  kind: fc.constantFrom('put', 'drop', 'tear', 'read'),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  text: fc.string({ unit: 'binary' }),
  who: fc.constantFrom(0, 1),
})

test('two processes and a crash now and then leave what one map would hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const path = await freshPath()
      const stores = [openNotes(path), openNotes(path)] as const
      const model = new Map<string, string>()

      for (const { kind, key, text, who } of steps) {
        const store = stores[who === 0 ? 0 : 1]
        if (kind === 'put') {
          await put(store, key, text)
          model.set(key, text)
        } else if (kind === 'drop') {
          await drop(store, key)
          model.delete(key)
        } else if (kind === 'tear') await tear(path)
        const seen = await store.read((notes) =>
          [...notes.lines.values()].map((note) => [note.key, note.text]),
        )
        expect(seen).toEqual([...model])
      }
      await rm(path, { force: true })
    }),
    { numRuns: tries(30) },
  )
})

/** Half a line at the end of a file that has others. */
async function tear(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '')
  if (text === '' || !text.endsWith('\n')) return
  await appendFile(path, '{"key":"half')
}
