import { toolHints } from '@parley/server-kit/tools'
import { expect, test } from 'vitest'

test.each([
  ['reads', [true, false, true, false]],
  ['adds', [false, false, false, false]],
  ['destroys', [false, true, false, false]],
] as const)('a tool that %s says so in all four hints', (effect, hints) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = toolHints(effect)

  expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).toEqual(hints)
})

test('what is said besides the effect counts', () => {
  expect(toolHints('adds', { idempotent: true, openWorld: true })).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  })
})
