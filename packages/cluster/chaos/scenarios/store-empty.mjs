import { judgeCall } from '../oracle.mjs'
import { ms, percentile, total } from '../scenario.mjs'
import { untilEvents } from '../world.mjs'
import { untilStreaming } from './store-outage.mjs'

/** @type {import('../scenario.mjs').Scenario} */
export const storeEmpty = {
  name: 'store-empty',
  title: 'store started again without its data',
  target: 'no data of another session; defined errors; sessions go on; new streams work ≤ 1 s',
  stores: ['redis'],
  world: { storesData: false },

  async run(world, { number, limit }) {
    const clients = await Promise.all(
      Array.from({ length: 4 }, (_, index) => world.openClient({ user: `user-${index}` })),
    )
    const calls = clients.map((client, index) => {
      const args = {
        to: 100,
        everyMs: 30,
        key: `empty-${number}-${index}`,
        text: `only for user-${index}`,
      }
      return client.call('count', args, { cutAfter: [60] })
    })
    await untilEvents(calls, 3)
    await world.store.kill()
    await world.store.start()
    const startedAt = performance.now()
    const recoveryMs = (await untilStreaming(world, `empty-${number}-after`)) - startedAt

    const faults = []
    const records = await Promise.all(calls.map(({ done }) => done))
    for (const [index, record] of records.entries()) {
      const { answer, refusal, events } = record
      const foreign = events.filter(
        ({ data }) => /only for user-(\d)/.exec(data)?.[1] === String((index + 1) % 4),
      )
      if (foreign.length > 0) faults.push(`events of another session: ${foreign[0]?.data}`)
      const isDefined =
        answer?.result !== undefined || answer?.error !== undefined || /^4\d\d/.test(refusal ?? '')
      if (!isDefined) faults.push(`neither result nor defined error: ${refusal}`)
      const broken = judgeCall(record, undefined).filter((fault) => !fault.startsWith('no answer'))
      faults.push(...broken)
    }
    for (const client of clients) {
      await client
        .ask('where')
        .catch((error) => faults.push(`a session of before: ${error.message}`))
    }
    if (recoveryMs > limit(1_000)) faults.push(`a new stream took ${ms(recoveryMs)}`)
    const results = records.filter(({ answer }) => answer?.result !== undefined).length
    return {
      faults,
      figures: { recoveries: [recoveryMs], streams: [records.length], results: [results] },
    }
  },

  describe: ({ streams, results, recoveries }) =>
    `${total(streams)} streams, ${total(results)} with their result; a new stream after p50 ${ms(percentile(recoveries, 0.5))}, max ${ms(percentile(recoveries, 1))}`,
}
