import { afterAll, expect, test } from 'vitest'

import { exhaustion } from './attacks.ts'
import { baitedSandbox } from './baited-sandbox.ts'

const sandbox = await baitedSandbox({
  memoryBytes: 8 * 2 ** 20,
  cpuMs: 100,
  standstillMs: 150,
  calls: 30,
})
afterAll(() => sandbox[Symbol.asyncDispose]())

test.each(exhaustion)('ends at a limit: $title', async ({ program, ends }) => {
  const outcome = await sandbox.run(program)

  expect(outcome.ok).toBe(false)
  if ('kind' in ends && !outcome.ok) expect([ends.kind].flat()).toContain(outcome.kind)
  expect(sandbox.damage(outcome)).toEqual([])
})

test('ends a built-in function that never asks whether to go on', async () => {
  const outcome = await sandbox.run('return "a".repeat(2e6).indexOf("a".repeat(1e6) + "b")')

  expect(outcome).toMatchObject({ ok: false, kind: 'standstill' })
  expect(await sandbox.run('return 1')).toMatchObject({ ok: true, value: 1 })
})
