import { ms, percentile, total } from '../scenario.mjs'
import { until } from '../world.mjs'

/** @type {import('../scenario.mjs').Scenario} */
export const killIdle = {
  name: 'kill-idle',
  title: 'kill −9 with idle sessions',
  target: 'first call ≤ 100 ms, 0 errors after the balancer noticed',
  stores: ['redis', 'postgres'],

  async run(world, { random, isQuick, limit }) {
    const clients = await Promise.all(
      Array.from({ length: isQuick ? 20 : 60 }, () => world.openClient()),
    )
    const node = world.nodes[random.between(0, world.nodes.length - 1)]
    node?.server.kill('SIGKILL')
    await until(
      () => world.balancer.ready().length === world.nodes.length - 1,
      'the balancer has noticed',
    )

    const faults = []
    const calls = []
    for (const client of clients) {
      const startedAt = performance.now()
      await client.ask('where').catch((error) => faults.push(`${error.message}`))
      calls.push(performance.now() - startedAt)
    }
    const slowest = percentile(calls)
    if (slowest > limit(100)) faults.push(`a first call took ${ms(slowest)}`)
    return { faults, figures: { calls, sessions: [clients.length] } }
  },

  describe: ({ sessions, calls }) =>
    `${total(sessions)} sessions; first call p50 ${ms(percentile(calls, 0.5))}, p99 ${ms(percentile(calls))}`,
}
