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

/** How a channel ends. */
export const closingCases: readonly ContractCase[] = [
  {
    name: 'ends the other side when one side closes',
    async check(left, right) {
      const [atLeft, atRight] = [readMessages(left), readMessages(right)]

      await left[Symbol.asyncDispose]()

      await atRight.ended
      await atLeft.ended
      assertSame([atLeft.received, atRight.received], [[], []], 'messages')
    },
  },
  {
    name: 'delivers what was sent before closing, then ends',
    async check(left, right) {
      const sent = Array.from({ length: 500 }, (_, index) => numbered(index))
      const reading = readMessages(right)
      await sendAll(left, sent)

      await left[Symbol.asyncDispose]()

      await reading.ended
      assertSame(reading.received, sent, 'messages')
    },
  },
  {
    name: 'delivers what was sent before closing to one who reads later',
    async check(left, right) {
      // Not awaited: a transport may wait for a reader, and before it closes until its last message has gone out.
      const sending = [
        left.send(new OutgoingMessage(numbered(1))),
        left.send(new OutgoingMessage(numbered(2))),
      ].map((drained) => Promise.resolve(drained))
      const closing = left[Symbol.asyncDispose]()

      const reading = readMessages(right)

      await reading.ended
      await Promise.all([closing, ...sending])
      assertSame(reading.received, [numbered(1), numbered(2)], 'messages')
    },
  },
  {
    name: 'closes once, however often it is asked to',
    async check(left, right) {
      const reading = readMessages(right)

      await Promise.all([left[Symbol.asyncDispose](), left[Symbol.asyncDispose]()])
      await left[Symbol.asyncDispose]()

      await reading.ended
      await right[Symbol.asyncDispose]()
    },
  },
  {
    name: 'rejects a message sent after closing, and does not throw',
    async check(left) {
      await left[Symbol.asyncDispose]()

      const error = await failureOf(left, numbered(1))

      assertSame(codeOf(error), 'closed', 'the code of the error')
    },
  },
  {
    name: 'lets both sides close at once',
    async check(left, right) {
      const [atLeft, atRight] = [readMessages(left), readMessages(right)]

      await Promise.all([left[Symbol.asyncDispose](), right[Symbol.asyncDispose]()])

      await Promise.all([atLeft.ended, atRight.ended])
    },
  },
  {
    name: 'calls end exactly once, after the last message',
    async check(left, right) {
      if (!right.receive) return
      const countsAtMessage: number[] = []
      const reading = receiveMessages(right, () => void countsAtMessage.push(reading.ends()))
      await sendAll(left, [numbered(1), numbered(2)])

      await left[Symbol.asyncDispose]()
      await reading.ended
      await right[Symbol.asyncDispose]()
      await new Promise((resolve) => setTimeout(resolve, 5))

      assertSame(reading.received, [numbered(1), numbered(2)], 'messages')
      assertSame(countsAtMessage, [0, 0], 'ends seen while messages arrived')
      assertSame(reading.ends(), 1, 'calls of end')
    },
  },
  {
    name: 'reads nothing twice after the end',
    async check(left, right) {
      const first = readMessages(right)
      await sendAll(left, [numbered(1)])
      await left[Symbol.asyncDispose]()
      await first.ended

      const second = readAgain(right)

      await second?.ended.catch(() => {}) // refusing to be read again is as good as being empty
      assertSame([first.received.length, second?.received.length ?? 0], [1, 0], 'messages read')
    },
  },
]

function readAgain(transport: Transport) {
  try {
    return readMessages(transport)
  } catch {
    return undefined // refused, which is fine
  }
}

async function failureOf(transport: Transport, message: object): Promise<unknown> {
  let sending: Promise<void> | void
  try {
    sending = transport.send(new OutgoingMessage(message))
  } catch (error) {
    throw new Error('send threw instead of rejecting', { cause: error })
  }
  assertThat(sending !== undefined, 'send after closing returned as if the message had been sent')
  try {
    await sending
  } catch (error) {
    return error
  }
  throw new Error('send after closing resolved')
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : error
}
