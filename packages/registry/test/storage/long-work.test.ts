import { expect, it } from 'vitest'

import { documentOf, openRegistry } from '../registry-under-test.ts'

/** How often the event loop turns meanwhile: others are answered only then. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns += 1
    setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

it('others are answered while many documents are imported, hidden or signed', async () => {
  await using registry = await openRegistry({ database: ':memory:', indexKey: '11'.repeat(32) })
  const { importDocuments, curate, fetch } = registry.registry
  const documents = Array.from({ length: 300 }, (_, at) =>
    documentOf(`com.example/server-${String(at).padStart(3, '0')}`, '1.0.0'),
  )

  const imported = await turnsDuring(async () => {
    for (let at = 0; at < 300; at += 100) await importDocuments(documents.slice(at, at + 100))
  })
  const rule = { action: 'set', kind: 'private', pattern: 'com.example/*', reason: 'x' } as const
  const hidden = await turnsDuring(() => curate(rule))
  await curate({ ...rule, action: 'remove' })
  const signed = await turnsDuring(() => fetch(new Request('http://registry.test/v0.1/x/index')))

  expect(imported).toBeGreaterThanOrEqual(2)
  expect(hidden).toBeGreaterThanOrEqual(2)
  expect(signed).toBeGreaterThanOrEqual(2)
})
