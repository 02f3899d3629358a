import { isMcpError } from '@parley/mcp'
import { clientTasks } from '@parley/mcp/tasks'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { cancelOrder, createBakery, fetchBread, orderBread } from '../tasks.ts'

test.each(['2026-07-28', '2025-11-25'] as const)(
  'bread is ordered, followed and fetched by its id in %s',
  async (revision) => {
    const options = { revision, extensions: [clientTasks()] }
    const bakery = createBakery(10)
    await using client = await createTestClient(bakery, options)
    await using later = await createTestClient(bakery, options)
    const lines: string[] = []

    const order = await orderBread(client, 2)
    await fetchBread(later, order, (line) => lines.push(line))

    expect(lines.at(-1)).toBe('2 loaves of bread')
    expect(lines).toContain('baking')
  },
)

test('an order is cancelled, and who waits for it is told', async () => {
  await using client = await createTestClient(createBakery(20), { extensions: [clientTasks()] })
  const order = await orderBread(client, 1)
  const waiting = fetchBread(client, order, () => undefined).catch((error: unknown) => error)

  await cancelOrder(client, order)

  const error = await waiting
  expect(isMcpError(error, 'task_ended') && error.details.status).toBe('cancelled')
})
