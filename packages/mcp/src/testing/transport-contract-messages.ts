import { assertSame, assertThat, numbered, readMessages, sendAll } from './contract-reading.ts'
import type { ContractCase } from './contract-reading.ts'

/** Checks which messages are allowed, and that they arrive as they were sent. */
export const messageCases: readonly ContractCase[] = [
  {
    name: 'takes a message as an object and as text',
    async check(left, right) {
      const reading = readMessages(right)

      await sendAll(left, [numbered(1), JSON.stringify(numbered(2))])

      await reading.until(2)
      assertSame(reading.received, [numbered(1), numbered(2)], 'messages')
    },
  },
  {
    name: 'keeps every character of a message',
    async check(left, right) {
      const reading = readMessages(right)
      const sent = characters.map((text, number) => numbered(number, text))

      await sendAll(left, sent)

      await reading.until(sent.length)
      assertSame(reading.received, sent, 'messages')
    },
  },
  {
    name: 'keeps a lone surrogate or replaces it, and goes on',
    async check(left, right) {
      const reading = readMessages(right)

      await sendAll(left, [numbered(1, 'a\ud800b'), numbered(2)])

      await reading.until(2)
      const [first, second] = reading.received
      const isStored = JSON.stringify(first) === JSON.stringify(numbered(1, 'a\ud800b'))
      const isReplaced = JSON.stringify(first) === JSON.stringify(numbered(1, 'a\ufffdb'))
      assertThat(isStored || isReplaced, `a lone surrogate became ${JSON.stringify(first)}`)
      assertSame(second, numbered(2), 'the message after it')
    },
  },
  {
    name: 'keeps a message with line breaks one message',
    async check(left, right) {
      const reading = readMessages(right)
      const lines = 'one\ntwo\r\nthree\rfour\u2028five\u2029six\u0085seven\n\n'
      const indented = JSON.stringify(numbered(2), null, 2)

      await sendAll(left, [numbered(1, lines), indented, numbered(3)])

      await reading.until(3)
      assertSame(reading.received, [numbered(1, lines), numbered(2), numbered(3)], 'messages')
    },
  },
  {
    name: 'carries a message of 1 MiB',
    async check(left, right) {
      const reading = readMessages(right)
      const large = numbered(1, 'lörge '.repeat(Math.ceil(2 ** 20 / 7)))

      await sendAll(left, [large, numbered(2)])

      await reading.until(2)
      assertSame(reading.received, [large, numbered(2)], 'messages')
    },
  },
]

const characters = [
  '',
  'héllo, wörld',
  '日本語 한국어 العربية',
  '😀👩‍👩‍👧‍👦\u{10ffff}',
  '"\\/\b\f\n\r\t\u0000\u001f\u007f',
  '\ufeff at the start',
  '\u2028\u2029\u0085',
  'e\u0301 is not \u00e9',
  '{"jsonrpc":"2.0"}\ndata: x\n\n',
]
