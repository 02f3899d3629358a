/** Compares what a client saw of its calls with what the log says. */

/** @typedef {import('./call-model.mjs').CallRecord} CallRecord */
/** @typedef {import('./stores.mjs').LoggedStream} LoggedStream */
/** @typedef {import('./world.mjs').World} World */

/**
 * What is wrong with a call, however it was cut: events are without gaps and come once, the answer is the last of them and the
 * only one, and the log has the same.
 *
 * @param {CallRecord} record
 * @param {LoggedStream | undefined} log undefined if it is gone, which is fine where the store lost its data
 * @returns {string[]}
 */
export function judgeCall(record, log) {
  const faults = []
  if (record.answer === undefined) faults.push(`no answer: ${record.refusal ?? 'still open'}`)
  const numbers = record.events.map(({ id }) => Number(id.split('_')[1]))
  if (new Set(numbers).size !== numbers.length)
    faults.push(`events came twice: ${numbers.join(' ')}`)
  const isWhole = numbers.every((number, index) => number === index + 1)
  if (!isWhole) faults.push(`events are missing or out of order: ${numbers.join(' ')}`)
  const answers = record.events.filter(({ data }) => isAnswer(data, record.answer))
  if (record.events.length > 0 && record.answer !== undefined) {
    if (answers.length !== 1) faults.push(`${answers.length} answers on the stream`)
    if (answers[0] !== record.events.at(-1)) faults.push('something follows the answer')
  }
  return log === undefined ? faults : [...faults, ...compareWithLog(record, log)]
}

/** @param {CallRecord} record @param {LoggedStream} log @returns {string[]} */
function compareWithLog({ events, answer }, { first, texts, isEnded }) {
  const faults = []
  for (const { id, data } of events) {
    const logged = texts[Number(id.split('_')[1]) - first]
    if (logged !== undefined && !logged.includes(`data: ${data}\n`))
      faults.push(`the log has another event ${id}`)
  }
  const last = Number(events.at(-1)?.id.split('_')[1] ?? 0)
  if (answer !== undefined && events.length > 0) {
    if (!isEnded) faults.push('the log has no end')
    if (first + texts.length - 1 !== last)
      faults.push(`the log ends with ${first + texts.length - 1}, the client with ${last}`)
  }
  return faults
}

/** @param {string} data @param {any} answer */
function isAnswer(data, answer) {
  const message = JSON.parse(data)
  return message.method === undefined && message.id === answer?.id
}

/** Judges calls of one round, and that no handler ran twice. @param {World} world @param {readonly CallRecord[]} records @returns {Promise<string[]>} */
export async function judgeCalls(world, records) {
  const faults = []
  for (const record of records) {
    const streamId = streamOf(record)
    const log = streamId === undefined ? undefined : await world.store.readStream(streamId)
    faults.push(...judgeCall(record, log).map((fault) => `stream ${streamId}: ${fault}`))
  }
  for (const key of world.ranTwice()) faults.push(`the handler of ${key} ran twice`)
  return faults
}

/** @param {CallRecord} record */
export function streamOf({ events }) {
  return events[0]?.id.split('_')[0]
}

/** Which process works on a call, as its progress says. @param {{ readonly record: CallRecord } | undefined} call */
export function runnerOfCall(call) {
  return call === undefined ? Number.NaN : runnerOf(call.record)
}

/** @param {CallRecord} record */
export function runnerOf({ events }) {
  const { params } = JSON.parse(events[0]?.data ?? '{}')
  return Number(/^\d+/.exec(params?.message ?? '')?.[0] ?? Number.NaN)
}

/** Whether the process that worked on it was lost. @param {CallRecord} record */
export function isDisconnected({ answer }) {
  return answer?.error?.data?.reason === 'node_lost'
}
