import { expect, test, vi } from 'vitest'

import { randomId } from '../../src/transport/http/sessions/random-id.ts'

test('ids are 256 bits each, never the same, and the system is asked once for many', () => {
  const asked = vi.spyOn(globalThis.crypto, 'getRandomValues')

  const ids = Array.from({ length: 640 }, randomId)

  expect(new Set(ids).size).toBe(640)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/)
  // No part of one is part of another, as it would be if the pool were read twice.
  expect(new Set(ids.flatMap((id) => id.match(/.{16}/g) ?? [])).size).toBe(640 * 4)
  expect(asked.mock.calls.length).toBeLessThanOrEqual(11)
  asked.mockRestore()
})
