import { setTimeout as wait } from 'node:timers/promises'

import { isDisconnected, judgeCalls } from '../oracle.mjs'
import { ms, percentile, total } from '../scenario.mjs'
import { until, untilEvents } from '../world.mjs'

/** @typedef {import('../world.mjs').World} World */

/** @type {import('../scenario.mjs').Scenario} */
export const storeOutage = {
  name: 'store-outage',
  title: 'store killed and started again after 1 s, 3 × lease, 60 s',
  target:
    'no false takeover; plain calls 100 %; streams complete or end with one error; recovery ≤ 1 s',
  stores: ['redis'],

  async run(world, { number, isQuick, limit }) {
    const all = [1_000, 3 * world.leaseMs, 60_000]
    // Each round takes the next one: a minute is long.
    const outages = isQuick ? all.slice(0, 2) : [all[number % all.length] ?? 1_000]
    const faults = []
    /** @type {{ calls: number, recoveries: number[] }} */
    const seen = { calls: 0, recoveries: [] }
    for (const outageMs of outages) {
      const {
        faults: found,
        calls,
        recoveryMs,
      } = await breakFor(world, outageMs, `outage-${number}-${outageMs}`)
      faults.push(...found.map((fault) => `${ms(outageMs)}: ${fault}`))
      if (recoveryMs > limit(1_000))
        faults.push(`${ms(outageMs)}: recovered after ${ms(recoveryMs)}`)
      seen.calls += calls
      seen.recoveries.push(recoveryMs)
    }
    return { faults, figures: { calls: [seen.calls], recoveries: seen.recoveries } }
  },

  describe: ({ calls, recoveries }) =>
    `${total(calls)} plain calls while it was down; recovery p50 ${ms(percentile(recoveries, 0.5))}, max ${ms(percentile(recoveries, 1))}`,
}

/** @param {World} world @param {number} outageMs @param {string} key */
async function breakFor(world, outageMs, key) {
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => world.openClient({ silenceMs: 120_000 })),
  )
  const everyMs = 100
  const to = Math.ceil((outageMs + world.leaseMs) / everyMs)
  const calls = clients.map((client, index) =>
    client.call('count', { to, everyMs, key: `${key}-${index}` }, { giveUpMs: outageMs + 60_000 }),
  )
  await untilEvents(calls, 3)
  const plain = await world.openClient()
  await plain.ask('where')

  const faults = []
  await world.store.kill()
  const end = performance.now() + outageMs
  let asked = 0
  while (performance.now() < end) {
    asked += 1
    await plain
      .ask('where')
      .catch((error) => faults.push(`a plain call while it was down: ${error.message}`))
    await wait(50)
  }
  await world.store.start()
  const startedAt = performance.now()
  const recoveryMs = await untilStreaming(world, `${key}-after`).then((at) => at - startedAt)

  const records = await Promise.all(calls.map(({ done }) => done))
  faults.push(...(await judgeCalls(world, records)))
  for (const record of records)
    if (isDisconnected(record)) faults.push('a process was taken for lost')
  await world.heal()
  return { faults, calls: asked, recoveryMs }
}

/** When a new session had a stream with its result. @param {World} world @param {string} key */
export async function untilStreaming(world, key) {
  let attempt = 0
  return until(async () => {
    attempt += 1
    try {
      const client = await world.openClient()
      const call = client.call(
        'count',
        { to: 3, everyMs: 1, key: `${key}-${attempt}` },
        { giveUpMs: 5_000 },
      )
      const { answer, answeredAt } = await call.done
      return answer?.result === undefined ? undefined : answeredAt
    } catch {
      return undefined // no session yet
    }
  }, 'a new stream has its result').then(Number)
}
