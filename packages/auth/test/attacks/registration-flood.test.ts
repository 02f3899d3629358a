import { createMemoryAuthServerStore } from '@parley/auth/server'
import { describe, expect, test } from 'vitest'

import { startAuthServer } from '../server/harness.ts'
import { local, register } from '../server/registering.ts'

describe('registration flood: clients without end', () => {
  test('ten in ten minutes from one address, sixty from all', async () => {
    const harness = await startAuthServer({ registration: 'on' })

    const one: number[] = []
    for (let count = 0; count < 11; count += 1)
      one.push((await register(harness, local, '192.0.2.1')).status)
    const many: number[] = []
    for (let count = 0; count < 51; count += 1)
      many.push((await register(harness, local, `198.51.100.${count}`)).status)

    expect(one.filter((status) => status === 201)).toHaveLength(10)
    expect(one.at(-1)).toBe(429)
    expect(many.filter((status) => status === 201)).toHaveLength(50)
    expect(many.at(-1)).toBe(429)
  })

  test('a large body is not read', async () => {
    const harness = await startAuthServer({ registration: 'on' })

    const { status } = await register(harness, { ...local, padding: 'x'.repeat(70_000) })

    expect(status).toBe(413)
  })

  test('what nobody has agreed to is forgotten after a day', async () => {
    let now = Date.now()
    const memory = createMemoryAuthServerStore({ now: () => now })
    const harness = await startAuthServer({ registration: 'on', store: memory })
    const { body } = await register(harness, local)
    const id = String(body['client_id'])

    const before = await memory.get('Client', id)
    now += 25 * 3_600_000

    expect(before).toBeDefined()
    expect(await memory.get('Client', id)).toBeUndefined()
  })

  test('there is room again after ten minutes', async () => {
    let now = Date.now()
    const harness = await startAuthServer({ registration: 'on', now: () => now })
    for (let count = 0; count < 10; count += 1) await register(harness, local, '192.0.2.1')

    const full = await register(harness, local, '192.0.2.1')
    now += 600_000
    const later = await register(harness, local, '192.0.2.1')

    expect([full.status, full.headers.get('retry-after'), later.status]).toEqual([429, '600', 201])
  })
})
