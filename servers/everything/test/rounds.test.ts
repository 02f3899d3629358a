import type { ElicitHandler } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { inEveryRevision, textsOf } from './support.ts'

const extras = { extras: true }

/** Answers each question by what it asks for, and notes the questions. */
function answerTrip(asked: string[]): ElicitHandler {
  return ({ message }) => {
    asked.push(message)
    const content = message === 'Where to?' ? { city: 'Rome' } : { agreed: true }
    return { action: 'accept', content }
  }
}

inEveryRevision((open, revision) => {
  if (revision < '2025-06-18') {
    test('hides what asks more than once from clients that cannot be asked', async () => {
      await using client = await open({ elicit: answerTrip([]) }, extras)

      const names = (await client.listTools().toArray()).map(({ name }) => name)

      expect(names).not.toContain('plan-trip')
    })
    return
  }
  const handlerRuns = revision >= '2026-07-28' ? 3 : 1

  test('plan-trip asks twice and reserves once, however often it is run', async () => {
    const asked: string[] = []
    await using client = await open({ elicit: answerTrip(asked) }, extras)

    const result = await client.callTool('plan-trip')

    const [, room = 'none'] = /Book room (\d+) in Rome/.exec(asked[1] ?? '') ?? []
    expect(asked).toHaveLength(2)
    expect(textsOf(result)).toEqual([`Room ${room} in Rome is booked.`])
    const calls = client.frames.filter(
      ({ direction, message }) => direction === 'out' && 'method' in Object(message),
    )
    const sent = calls.filter(({ message }) => JSON.stringify(message).includes('"tools/call"'))
    expect(sent).toHaveLength(handlerRuns)
  })

  test('plan-trip-in-rounds gets its state back, and gives the same', async () => {
    const asked: string[] = []
    await using client = await open({ elicit: answerTrip(asked) }, extras)

    const result = await client.callTool('plan-trip-in-rounds')

    expect(asked).toEqual(['Where to?', 'Book in Rome?'])
    expect(textsOf(result)).toEqual(['The room in Rome is booked.'])
    expect(JSON.stringify(client.frames)).not.toContain('"requestState":{') // it travels sealed
  })

  test.each(['plan-trip', 'plan-trip-in-rounds'])(
    '%s ends when the user declines',
    async (name) => {
      await using client = await open({ elicit: () => ({ action: 'decline' }) }, extras)

      expect(textsOf(await client.callTool(name))).toEqual(['No trip.'])
    },
  )

  test('redeem-voucher redeems a code', async () => {
    const elicit: ElicitHandler = () => ({ action: 'accept', content: { code: 'A1' } })
    await using client = await open({ elicit }, extras)

    expect(textsOf(await client.callTool('redeem-voucher'))).toEqual(['A1 is redeemed.'])
  })

  if (revision < '2026-07-28') return

  test('redeem-voucher refuses the same answers a second time', async () => {
    const elicit: ElicitHandler = () => ({ action: 'accept', content: { code: 'A1' } })
    await using client = await open({ elicit }, extras)
    await client.callTool('redeem-voucher')
    const last = client.frames.findLast(
      ({ direction, message }) =>
        direction === 'out' && JSON.stringify(message).includes('"requestState"'),
    )
    const { params } = Object(last?.message) as { params: { _meta: object } } // it was sent above
    const { _meta: _, ...again } = params

    await expect(client.request('tools/call', again)).rejects.toMatchObject({
      code: 'invalid_params',
    })
  })
})
