/**
 * The part of the transport contract about order, back-pressure and amounts.
 *
 * Each case opens a pair of ends and checks one promise that `Transport` makes. `transport-contract.ts` joins all parts;
 * implementations run them as tests.
 */
import { type Transport, OutgoingMessage } from '../rpc/transport.ts'
import {
  assertSame,
  assertThat,
  numbered,
  readMessages,
  receiveMessages,
  sendAll,
  type ContractCase,
} from './contract-reading.ts'

/** Order, directions, pace. */
export const flowCases: readonly ContractCase[] = [
  {
    name: 'delivers many small messages in the order they were sent',
    async check(left, right) {
      const reading = readMessages(right)
      const sent = numbers(5000)

      await sendAll(left, sent)

      await reading.until(sent.length)
      assertSame(reading.received, sent, 'messages')
    },
  },
  {
    name: 'keeps the order of messages sent without waiting',
    async check(left, right) {
      const reading = readMessages(right)
      const sent = numbers(300)

      const rooms = sent.map((message) => Promise.resolve(left.send(new OutgoingMessage(message))))

      await reading.until(sent.length)
      await Promise.all(rooms)
      assertSame(reading.received, sent, 'messages')
    },
  },
  {
    name: 'delivers in both directions at once',
    async check(left, right) {
      const [atLeft, atRight] = [readMessages(left), readMessages(right)]
      const [toLeft, toRight] = [numbers(500), numbers(700)]

      await Promise.all([sendAll(right, toLeft), sendAll(left, toRight)])

      await Promise.all([atLeft.until(500), atRight.until(700)])
      assertSame(atLeft.received, toLeft, 'messages to the left')
      assertSame(atRight.received, toRight, 'messages to the right')
    },
  },
  {
    name: 'keeps messages until somebody reads them',
    async check(left, right) {
      const sending = sendAll(left, numbers(3))
      await turn()

      const reading = readMessages(right)

      await reading.until(3)
      await sending
      assertSame(reading.received, numbers(3), 'messages')
    },
  },
  {
    name: 'never delivers from within send',
    async check(left, right) {
      const reading = right.receive ? receiveMessages(right) : readMessages(right)
      await sendAll(left, numbers(1))
      await reading.until(1)

      const drained = left.send(new OutgoingMessage(numbered(2)))

      assertSame(reading.received.length, 1, 'messages delivered while send was running')
      await drained
      await reading.until(2)
    },
  },
  {
    name: 'asks a sender to wait when nobody reads, and lets it go on when somebody does',
    async check(left, right) {
      const { sent, drained } = await fill(left)

      const reading = readMessages(right)

      await reading.until(sent)
      await drained
      assertSame(reading.received.length, sent, 'messages after waiting for room')
    },
  },
  {
    name: 'delivers the same by receive as by messages',
    async check(left, right) {
      if (!left.receive) return
      const [pushed, pulled] = [receiveMessages(left), readMessages(right)]
      const sent = [...numbers(200), numbered(200, 'ü'.repeat(100_000))]

      await Promise.all([sendAll(right, sent), sendAll(left, sent)])

      await Promise.all([pushed.until(sent.length), pulled.until(sent.length)])
      assertSame(pushed.received, sent, 'messages received')
      assertSame(pulled.received, sent, 'messages read')
    },
  },
  {
    name: 'delivers nothing while a receiver is busy',
    async check(left, right) {
      if (!right.receive) return
      let [running, most] = [0, 0]
      const reading = receiveMessages(right, async () => {
        running += 1
        most = Math.max(most, running)
        await turn()
        running -= 1
      })

      await sendAll(left, numbers(20))

      await reading.until(20)
      assertSame(most, 1, 'messages handled at once')
      assertSame(reading.received, numbers(20), 'messages')
    },
  },
  {
    name: 'delivers each message to one reader, once',
    async check(left, right) {
      const iterator = right.messages[Symbol.asyncIterator]()
      const sending = sendAll(left, numbers(2))

      const results = [await iterator.next(), await iterator.next()]
      await sending

      const values = results.map(({ value }: { value?: unknown }) =>
        typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
      )
      assertSame(values, numbers(2), 'messages')
      const third = iterator.next()
      await left[Symbol.asyncDispose]()
      assertThat((await third).done === true, 'a message was delivered a second time')
    },
  },
]

function numbers(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => numbered(index))
}

/** Sends until the transport asks to wait and means it: its promise is still open after some turns. */
async function fill(transport: Transport): Promise<{ sent: number; drained: Promise<void> }> {
  const text = 'x'.repeat(64 * 1024)
  for (let sent = 1; sent <= maxQueued; sent++) {
    const drained = transport.send(new OutgoingMessage(numbered(sent, text)))
    if (!drained) continue
    let hasCapacity = false
    const waiting = drained.then(() => void (hasCapacity = true))
    for (let turns = 0; turns < 5 && !hasCapacity; turns++) await turn()
    if (!hasCapacity) return { sent, drained: waiting }
  }
  throw new Error(`${maxQueued} messages of 64 KiB were taken although nobody reads`)
}

const maxQueued = 4096

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}
