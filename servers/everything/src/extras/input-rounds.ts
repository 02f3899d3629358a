import { randomInt } from 'node:crypto'

import { jsonSchema } from '@parley/mcp'
import { defineTool, inputRequired, type Feature, type RequestContext } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { icons } from '../icons.ts'

const destination = z.object({ city: z.enum(['Oslo', 'Rome']).default('Oslo') })
const agreement = z.object({ agreed: z.boolean() })

/**
 * One question after the other, each awaited. Where answering means calling again this function is run once for each
 * round: what must not happen twice is inside `once`, and keys let questions move without confusing calls under way.
 */
const byAwait = defineTool(
  'plan-trip',
  {
    title: 'Plan Trip Tool',
    description: 'Asks for a city, reserves a room there once, and asks whether to book it.',
    annotations: toolHints('adds'),
    icons,
    visible: canElicit,
  },
  async (_, { elicit, once }) => {
    const where = await elicit(
      { message: 'Where to?', requestedSchema: destination },
      { key: 'destination' },
    )
    if (where.action !== 'accept') return 'No trip.'
    const number = await once('reserve', () => randomInt(100, 1_000))
    const booking = await elicit(
      { message: `Book room ${number} in ${where.content.city}?`, requestedSchema: agreement },
      { key: 'booking' },
    )
    const isBooked = booking.action === 'accept' && booking.content.agreed
    return `Room ${number} in ${where.content.city} is ${isBooked ? 'booked' : 'free again'}.`
  },
)

const askPlace = inputRequired.elicit({ message: 'Where to?', requestedSchema: destination })

/** The same without waiting: each call says what it needs, and what it wants to know again. The state travels sealed. */
const byReturn = defineTool(
  'plan-trip-in-rounds',
  {
    title: 'Plan Trip In Rounds Tool',
    description: 'Asks for a city, then whether to book; each round is a call of its own.',
    annotations: toolHints('adds'),
    icons,
    visible: canElicit,
  },
  (_, { inputResponse, requestState }) => {
    const city = cityIn(requestState)
    if (city === undefined) {
      const where = inputResponse('destination', askPlace)
      if (where === undefined) return inputRequired({ inputRequests: { destination: askPlace } })
      if (where.action !== 'accept') return 'No trip.'
      return inputRequired({
        inputRequests: { booking: askToBook(where.content.city) },
        requestState: where.content,
      })
    }
    const booking = inputResponse('booking', askToBook(city))
    if (booking === undefined) {
      return inputRequired({ inputRequests: { booking: askToBook(city) }, requestState })
    }
    const isBooked = booking.action === 'accept' && booking.content.agreed
    return `The room in ${city} is ${isBooked ? 'booked' : 'free again'}.`
  },
)

function askToBook(city: string) {
  return inputRequired.elicit({ message: `Book in ${city}?`, requestedSchema: agreement })
}

/** It was sealed by us, but perhaps by an older version of us. */
function cityIn(state: unknown): string | undefined {
  const read = destination.safeParse(state)
  return read.success && state !== undefined ? read.data.city : undefined
}

/** Answers are good for one call: sending them twice redeems nothing twice. */
const singleUse = defineTool(
  'redeem-voucher',
  {
    title: 'Redeem Voucher Tool',
    description: 'Asks for the code of a voucher; the same answer cannot be sent a second time.',
    annotations: toolHints('adds'),
    icons,
    singleUse: true,
    visible: canElicit,
  },
  async (_, { elicit }) => {
    const answer = await elicit({
      message: 'The code of your voucher?',
      requestedSchema: jsonSchema<{ code: string }>({
        type: 'object',
        properties: { code: { type: 'string', title: 'Code', minLength: 1 } },
        required: ['code'],
      }),
    })
    return answer.action === 'accept' ? `${answer.content.code} is redeemed.` : 'Nothing redeemed.'
  },
)

function canElicit({ client, revision }: RequestContext): boolean {
  return client.capabilities.elicitation !== undefined && revision >= '2025-06-18'
}

/** Each way to ask more than once in one call. */
export const roundTools: readonly Feature[] = [byAwait, byReturn, singleUse]
