import { isDisconnected, judgeCalls, runnerOf, runnerOfCall } from '../oracle.mjs'
import { ms, percentile, total } from '../scenario.mjs'
import { untilEvents } from '../world.mjs'

/** @type {import('../scenario.mjs').Scenario} */
export const killRunning = {
  name: 'kill-running',
  title: 'kill −9 of the running process',
  target: 'contiguous; exactly one terminal; p99 ≤ 2 × lease',
  stores: ['redis', 'postgres'],

  async run(world, { random, number, isQuick, limit }) {
    const clients = await Promise.all(
      Array.from({ length: isQuick ? 4 : 9 }, () => world.openClient()),
    )
    const calls = clients.map((client, index) => {
      const args = { to: 80, everyMs: 25, key: `kill-running-${number}-${index}` }
      return client.call(index % 2 === 0 ? 'count' : 'count-safely', args)
    })
    const events = random.between(1, 10)
    await untilEvents(calls, events)
    const pid = runnerOfCall(calls[random.between(0, calls.length - 1)])
    const killedAt = performance.now()
    world.nodeOf(pid).server.kill('SIGKILL')

    const records = await Promise.all(calls.map(({ done }) => done))
    const faults = await judgeCalls(world, records)
    const waits = []
    for (const [index, record] of records.entries()) {
      const isHit = runnerOf(record) === pid
      const { answer, answeredAt = Number.NaN } = record
      if (isDisconnected(record) !== isHit)
        faults.push(`${isHit ? 'lost' : 'other'} process: ${JSON.stringify(answer)}`)
      if (!isHit) continue
      waits.push(answeredAt - killedAt)
      const isSafe = index % 2 === 1
      if (answer?.error?.data?.retryable !== isSafe)
        faults.push(`retryable should be ${isSafe}: ${JSON.stringify(answer)}`)
    }
    const most = limit(2 * world.leaseMs)
    for (const wait of waits) if (wait > most) faults.push(`the error came after ${ms(wait)}`)
    return { faults, figures: { waits, streams: [records.length] } }
  },

  describe: ({ streams, waits = [] }) =>
    `${total(streams)} streams, ${waits.length} on the killed process; error after p50 ${ms(percentile(waits, 0.5))}, p99 ${ms(percentile(waits))}`,
}
