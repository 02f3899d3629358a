import { setTimeout as wait } from 'node:timers/promises'

import { send } from '../http-exchange.mjs'
import { isDisconnected, judgeCalls, runnerOf, runnerOfCall } from '../oracle.mjs'
import { ms, percentile, total } from '../scenario.mjs'
import { until, untilEvents } from '../world.mjs'
import { countAll } from './pause.mjs'

/** @type {import('../scenario.mjs').Scenario} */
export const partition = {
  name: 'partition',
  title: 'one process cut off from the store for 3 × lease',
  target: 'unready ≤ lease; its streams taken over once; fenced on return',
  stores: ['redis'],

  async run(world, { random, number, limit }) {
    const { leaseMs } = world
    const clients = await Promise.all(
      Array.from({ length: 4 }, () => world.openClient({ silenceMs: leaseMs / 2 })),
    )
    const args = { to: Math.ceil((5 * leaseMs) / 50), everyMs: 50 }
    const calls = clients.map((client, index) =>
      client.call('count', { ...args, key: `partition-${number}-${index}` }),
    )
    await untilEvents(calls, 3)
    const pid = runnerOfCall(calls[0])
    const node = world.nodeOf(pid)
    const before = await countAll(world)
    const brokenAt = performance.now()
    // Half of the time silently, as a lost route would; half of the time with resets.
    if (random.share() < 0.5) node.relay.cut()
    else node.relay.stall()

    const faults = []
    const readyz = new URL('/readyz', node.server.url).href
    const isUnready = async () =>
      (await send({ url: readyz, method: 'GET', headers: {} })).status === 503
    await until(isUnready, 'the process says that it is not ready')
    const unreadyMs = performance.now() - brokenAt
    if (unreadyMs > limit(leaseMs)) faults.push(`unready after ${ms(unreadyMs)}`)
    await wait(Math.max(0, brokenAt + 3 * leaseMs - performance.now()))
    node.relay.resume()

    const records = await Promise.all(calls.map(({ done }) => done))
    await wait(leaseMs) // what the process still wants to write, it has tried to write by then
    faults.push(...(await judgeCalls(world, records)))
    const after = await countAll(world)
    if (after.fencedWrites === before.fencedWrites) faults.push('no fenced write was counted')
    const hit = records.filter((record) => runnerOf(record) === pid)
    for (const record of records) {
      const isHit = hit.includes(record)
      if (isDisconnected(record) !== isHit)
        faults.push(`${isHit ? 'its' : 'another'} stream: ${JSON.stringify(record.answer)}`)
    }
    const taken = after.takeovers - before.takeovers
    if (taken !== hit.length) faults.push(`${taken} takeovers of ${hit.length} streams`)
    await until(
      () => world.balancer.ready().length === world.nodes.length,
      'the process is ready again',
    )
    return { faults, figures: { unready: [unreadyMs], taken: [hit.filter(isDisconnected).length] } }
  },

  describe: ({ unready, taken }) =>
    `unready after p50 ${ms(percentile(unready, 0.5))}, max ${ms(percentile(unready, 1))}; ${total(taken)} streams taken over`,
}
