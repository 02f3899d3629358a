import { isDisconnected, judgeCalls } from '../oracle.mjs'
import { ms, percentile } from '../scenario.mjs'
import { until } from '../world.mjs'

/** @typedef {import('../client.mjs').Client} Client */

/** @type {import('../scenario.mjs').Scenario} */
export const killElicitation = {
  name: 'kill-elicitation',
  title: 'kill during an open elicitation',
  target: 'error ≤ 2 × lease; the answer gets 202; without a kill it arrives at any process',
  stores: ['redis', 'postgres'],

  async run(world, { number, limit }) {
    const faults = []
    // Several, since one answer in three goes to the process that asked.
    const answered = await Promise.all(
      [0, 1, 2, 3].map(async (index) => {
        const { call, question } = await ask(
          await world.openClient(),
          `answered-${number}-${index}`,
        )
        const startedAt = performance.now()
        const { status } = await question.answer()
        if (status !== 202) faults.push(`the answer got ${status}`)
        const record = await call.done
        if (record.answer?.result === undefined)
          faults.push(`no result: ${JSON.stringify(record.answer)}`)
        return { record, took: (record.answeredAt ?? Number.NaN) - startedAt }
      }),
    )

    const { call, question } = await ask(await world.openClient(), `killed-${number}`)
    const killedAt = performance.now()
    world.nodeOf(question.pid).server.kill('SIGKILL')
    await until(
      () => world.balancer.ready().length === world.nodes.length - 1,
      'the balancer has noticed',
    )
    const { status } = await question.answer()
    if (status !== 202) faults.push(`the answer to the lost process got ${status}`)
    const record = await call.done
    const wait = (record.answeredAt ?? Number.NaN) - killedAt
    if (!isDisconnected(record)) faults.push(`no node_lost: ${JSON.stringify(record.answer)}`)
    if (wait > limit(2 * world.leaseMs)) faults.push(`the error came after ${ms(wait)}`)

    faults.push(...(await judgeCalls(world, [record, ...answered.map((one) => one.record)])))
    return { faults, figures: { answers: answered.map(({ took }) => took), waits: [wait] } }
  },

  describe: ({ answers, waits }) =>
    `answer to result p99 ${ms(percentile(answers))}; error after p99 ${ms(percentile(waits))}`,
}

/** Calls a tool that asks, and waits for its question. @param {Client} client @param {string} key */
export async function ask(client, key) {
  /** @type {{ id: string | number, params: { message: string } } | undefined} */
  let request
  const call = client.call('ask', { key }, { onRequest: (asked) => (request = asked) })
  const asked = await until(() => request, 'the server asks')
  const question = {
    id: asked?.id ?? '',
    pid: Number(asked?.params.message.split(' ')[0]),
    answer: () => client.answer(asked?.id ?? '', { action: 'accept', content: { word: key } }),
  }
  return { call, question }
}
