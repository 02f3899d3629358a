import { setTimeout as wait } from 'node:timers/promises'

import { send } from '../http-exchange.mjs'
import { judgeCalls } from '../oracle.mjs'
import { total } from '../scenario.mjs'
import { until } from '../world.mjs'
import { ask } from './kill-elicitation.mjs'

const secretWord = 'only-alice-may-read-this'

/** @type {import('../scenario.mjs').Scenario} */
export const stolenIds = {
  name: 'stolen-ids',
  title: 'two users, stolen session, event, request and task ids',
  target: '0 bytes of the other user’s data',
  stores: ['redis'],

  async run(world, { number }) {
    const alice = await world.openClient({ user: 'alice' })
    const mallory = await world.openClient({ user: 'mallory' })
    const args = { to: 60, everyMs: 20, key: `stolen-${number}`, text: secretWord }
    const stream = alice.call('count', args)
    await until(() => stream.record.events.length >= 5, 'the stream runs')
    const { call: asking, question } = await ask(alice, `${secretWord}-${number}`)
    const task = await startTask(alice)
    const eventId = stream.record.events[1]?.id ?? ''

    /** @type {string[]} */
    const faults = []
    let attempts = 0
    /** @param {string} what @param {{ status: number, text: string, headers?: object }} answer @param {readonly number[]} expected */
    function check(what, { status, text, headers }, expected) {
      attempts += 1
      if (`${text} ${JSON.stringify(headers)}`.includes(secretWord))
        faults.push(`${what} shows data of another user`)
      if (!expected.includes(status))
        faults.push(`${what}: ${status} instead of ${expected.join(' or ')}: ${text.slice(0, 200)}`)
    }

    const stolen = { ...mallory.headers, 'mcp-session-id': alice.sessionId }
    const where = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'where' } }
    // As often as there are processes, and once more: each of them must refuse.
    for (let turn = 0; turn <= world.nodes.length; turn += 1) {
      const get = (/** @type {Record<string, string>} */ headers) => readSome(world.url, headers)
      check(
        'a call in a stolen session',
        await send({
          url: world.url,
          method: 'POST',
          headers: stolen,
          body: JSON.stringify(where),
        }),
        [404],
      )
      check('a stream of a stolen session', await get(stolen), [404])
      check('a stolen event id', await get({ ...stolen, 'last-event-id': eventId }), [404])
      check(
        'a stolen event id in a session of one’s own',
        await get({ ...mallory.headers, 'last-event-id': eventId }),
        [400],
      )
      check(
        'the end of a stolen session',
        await send({ url: world.url, method: 'DELETE', headers: stolen }),
        [404],
      )
      const answer = {
        jsonrpc: '2.0',
        id: question.id,
        result: { action: 'accept', content: { word: 'mallory' } },
      }
      check(
        'an answer to a stolen question',
        await send({
          url: world.url,
          method: 'POST',
          headers: stolen,
          body: JSON.stringify(answer),
        }),
        [404],
      )
      check(
        'the same in a session of one’s own',
        await mallory.answer(question.id, answer.result),
        [202, 400, 404],
      )
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
        const { status, text } = await mallory.request(method, { taskId: task })
        check(method, { status, text }, [200, 400, 404])
        if (!text.includes('"error"'))
          faults.push(`${method} of a stolen task: ${text.slice(0, 200)}`)
      }
      const cancelled = {
        method: 'notifications/cancelled',
        params: { requestId: stream.record.events.length },
      }
      check('a cancellation', await mallory.post(cancelled), [202])
    }

    await wait(100)
    await question.answer()
    const [streamed, answered] = await Promise.all([stream.done, asking.done])
    if (!JSON.stringify(answered.answer ?? null).includes(`heard ${secretWord}`)) {
      faults.push(`the question was answered by another user: ${JSON.stringify(answered.answer)}`)
    }
    if (streamed.answer?.result === undefined)
      faults.push(`the stream was disturbed: ${JSON.stringify(streamed.answer)}`)
    faults.push(...(await judgeCalls(world, [streamed, answered])))
    return { faults, figures: { attempts: [attempts] } }
  },

  describe: ({ attempts }) => `${total(attempts)} attempts, all refused`,
}

/** @param {import('../client.mjs').Client} client @returns {Promise<string>} */
async function startTask(client) {
  const { message, text } = await client.request('tools/call', {
    name: 'work',
    arguments: { ms: 30_000, text: secretWord },
    task: { ttl: 60_000 },
  })
  const id = message?.result?.task?.taskId
  if (typeof id !== 'string') throw new Error(`no task: ${text}`)
  return id
}

/** What a stream that should not open says in its first moments. @param {string} url @param {Record<string, string>} headers */
async function readSome(url, headers) {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  if (response.status !== 200) return { status: response.status, text: await response.text() }
  setTimeout(() => controller.abort(), 300)
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    // That was us.
  }
  return { status: 200, text }
}
