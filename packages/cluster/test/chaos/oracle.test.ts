import { describe, expect, test } from 'vitest'

import { judgeCall } from '../../chaos/oracle.mjs'

const progress = (count: number) =>
  `{"method":"notifications/progress","params":{"progress":${count}}}`
const result = '{"id":7,"result":{}}'

/** A call with these events, counted from 1, and a log that has the same. */
function callWith(data: readonly string[], numbers = data.map((_, index) => index + 1)) {
  const events = data.map((one, index) => ({ id: `s_${numbers[index]}`, data: one, connection: 1 }))
  const answer = data.includes(result) ? { id: 7, result: {} } : undefined
  return { events, answer, startedAt: 0, connections: 1, faults: [] }
}
function logOf(data: readonly string[], isEnded = true) {
  return {
    first: 1,
    texts: data.map((one, index) => `id: s_${index + 1}\ndata: ${one}\n\n`),
    isEnded,
  }
}
const whole = [progress(1), progress(2), result]

describe('the oracle', () => {
  test('has nothing to say of a stream that is whole', () => {
    expect(judgeCall(callWith(whole), logOf(whole))).toEqual([])
  })

  test.each([
    ['a gap', callWith(whole, [1, 3, 4]), undefined, 'events are missing or out of order: 1 3 4'],
    ['an event that came twice', callWith(whole, [1, 1, 2]), undefined, 'events came twice: 1 1 2'],
    ['no answer', callWith(whole.slice(0, 2)), undefined, 'no answer: still open'],
    ['two answers', callWith([result, result]), undefined, '2 answers on the stream'],
    [
      'something behind the answer',
      callWith([result, progress(1)]),
      undefined,
      'something follows the answer',
    ],
    [
      'another event in the log',
      callWith(whole),
      logOf([progress(9), progress(2), result]),
      'the log has another event s_1',
    ],
    [
      'more in the log',
      callWith(whole),
      logOf([...whole, result]),
      'the log ends with 4, the client with 3',
    ],
    ['a log without an end', callWith(whole), logOf(whole, false), 'the log has no end'],
  ])('sees %s', (_, record, log, fault) => {
    expect(judgeCall(record, log)).toContain(fault)
  })
})
