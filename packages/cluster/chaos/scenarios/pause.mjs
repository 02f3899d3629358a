import { setTimeout as wait } from 'node:timers/promises'

import { isDisconnected, judgeCalls, runnerOf, runnerOfCall } from '../oracle.mjs'
import { total } from '../scenario.mjs'
import { until, untilEvents } from '../world.mjs'

/** @typedef {import('../world.mjs').World} World */

/** @type {import('../scenario.mjs').Scenario} */
export const pause = {
  name: 'pause',
  title: 'SIGSTOP for 0.5, 1 and 3 × lease, SIGCONT',
  target: 'over a lease: taken over once, the terminal stays last; below: nothing noticed',
  stores: ['redis', 'postgres'],

  async run(world, { number, isQuick }) {
    const faults = []
    /** @type {Record<string, number[]>} */
    const figures = {}
    for (const leases of isQuick ? [0.5, 3] : [0.5, 1, 3]) {
      const {
        faults: seen,
        lost,
        streams,
      } = await pauseFor(world, leases, `pause-${number}-${leases}`)
      faults.push(...seen.map((fault) => `${leases} × lease: ${fault}`))
      figures[`lost${leases}`] = [lost]
      figures[`streams${leases}`] = [streams]
    }
    return { faults, figures }
  },

  describe: (figures) =>
    ['0.5', '1', '3']
      .filter((leases) => figures[`lost${leases}`] !== undefined)
      .map(
        (leases) =>
          `${leases} × lease: ${total(figures[`lost${leases}`])} of ${total(figures[`streams${leases}`])} taken over`,
      )
      .join('; '),
}

/** @param {World} world @param {number} leases @param {string} key */
async function pauseFor(world, leases, key) {
  const { leaseMs } = world
  const clients = await Promise.all(
    Array.from({ length: 3 }, () => world.openClient({ silenceMs: leaseMs / 2 })),
  )
  const everyMs = 50
  const to = Math.ceil(((leases + 1.5) * leaseMs) / everyMs)
  const calls = clients.map((client, index) =>
    client.call('count', { to, everyMs, key: `${key}-${index}` }),
  )
  await untilEvents(calls, 3)
  const pid = runnerOfCall(calls[0])
  const { server } = world.nodeOf(pid)
  const before = await countAll(world)
  server.kill('SIGSTOP')
  await wait(leases * leaseMs)
  server.kill('SIGCONT')

  const records = await Promise.all(calls.map(({ done }) => done))
  await wait(leaseMs) // what the process still wants to write, it has tried to write by then
  const faults = await judgeCalls(world, records)
  const after = await countAll(world)
  const hit = records.filter((record) => runnerOf(record) === pid)
  const lost = hit.filter(isDisconnected).length
  if (records.some((record) => isDisconnected(record) && !hit.includes(record)))
    faults.push('another process was taken for lost')
  if (leases > 1 && lost !== hit.length)
    faults.push(`${lost} of ${hit.length} streams were taken over`)
  if (after.takeovers - before.takeovers !== lost)
    faults.push('takeovers are not counted once each')
  if (lost > 0 && after.fencedWrites === before.fencedWrites)
    faults.push('no fenced write was counted')
  if (leases < 1 && lost > 0) faults.push(`${lost} streams were taken over`)
  for (const { answer } of records) {
    if (answer?.result === undefined && answer?.error?.data?.reason !== 'node_lost') {
      faults.push(`neither result nor node_lost: ${JSON.stringify(answer)}`)
    }
  }
  await until(
    () => world.balancer.ready().length === world.nodes.length,
    'the process is ready again',
  )
  return { faults, lost, streams: hit.length }
}

/** @param {World} world */
export async function countAll(world) {
  return {
    takeovers: await world.countOf('takeovers'),
    fencedWrites: await world.countOf('fencedWrites'),
  }
}
