import { afterAll, describe, expect, test } from 'vitest'

import { bridge, escapes, ordinary, pollution, type Attack } from './attacks.ts'
import { baitedSandbox } from './baited-sandbox.ts'

const sandbox = await baitedSandbox({
  memoryBytes: 16 * 2 ** 20,
  cpuMs: 5_000,
  calls: 30,
  argumentBytes: 100_000,
  valueBytes: 100_000,
})
afterAll(() => sandbox[Symbol.asyncDispose]())

describe.each([
  ['ordinary programs work', ordinary],
  ['a program cannot get out', escapes],
  ['a program that changes built-ins deceives itself alone', pollution],
  ['what crosses is checked', bridge],
] satisfies [string, readonly Attack[]][])('%s', (_, attacks) => {
  test.each(attacks)('$title', async ({ program, ends }) => {
    const outcome = await sandbox.run(program, { args: { name: 'Ada' } })

    if ('value' in ends) expect(outcome).toMatchObject({ ok: true, value: ends.value })
    else expect([ends.kind].flat()).toContain(outcome.ok ? 'returned' : outcome.kind)
    expect(sandbox.damage(outcome)).toEqual([])
  })
})
