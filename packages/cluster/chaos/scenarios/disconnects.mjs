import { judgeCalls } from '../oracle.mjs'
import { total } from '../scenario.mjs'

/** @type {import('../scenario.mjs').Scenario} */
export const disconnects = {
  name: 'disconnects',
  title: 'random client disconnects, 1–5 per stream',
  target: 'contiguous, no duplicate, result delivered',
  stores: ['redis', 'postgres'],

  async run(world, { random, number, isQuick }) {
    const streams = isQuick ? 4 : 10
    const records = await Promise.all(
      Array.from({ length: streams }, async (_, index) => {
        const client = await world.openClient()
        const to = random.between(20, 40)
        const cutAfter = Array.from({ length: random.between(1, 5) }, () => random.between(1, to))
        const args = { to, everyMs: 10, key: `disconnects-${number}-${index}` }
        return client.call('count', args, { cutAfter }).done
      }),
    )
    const faults = await judgeCalls(world, records)
    for (const { answer } of records) {
      if (answer?.result === undefined) faults.push(`no result: ${JSON.stringify(answer)}`)
    }
    const cuts = records.map(({ connections }) => connections - 1)
    return { faults, figures: { streams: [records.length], cuts } }
  },

  describe: ({ streams, cuts }) => `${total(streams)} streams, ${total(cuts)} cuts`,
}
