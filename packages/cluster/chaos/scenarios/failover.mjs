import { setTimeout as wait } from 'node:timers/promises'

import { openRelay, startRedisProcess } from '@parley/cluster/testing'
import { Redis } from 'ioredis'

import { judgeCall, streamOf } from '../oracle.mjs'
import { total } from '../scenario.mjs'
import { readRedisStream } from '../stores.mjs'
import { until, untilEvents } from '../world.mjs'

/** @type {import('../scenario.mjs').Scenario} */
export const failover = {
  name: 'failover',
  title: 'store fails over to a replica that lacks the last events',
  target: 'no silent gap: every client ends with a result or an error',
  stores: ['redis'],
  world: { storesData: true }, // one of its own: its processes have seen another store

  async run(world, { number }) {
    const replication = await openRelay(world.store.port)
    const replica = await startRedisProcess({
      args: ['--replicaof', '127.0.0.1', String(replication.port)],
    })
    try {
      await until(() => isInSync(replica.port), 'the replica has everything')
      const clients = await Promise.all(Array.from({ length: 4 }, () => world.openClient()))
      const calls = clients.map((client, index) => {
        const args = { to: 80, everyMs: 40, key: `failover-${number}-${index}` }
        return client.call('count', args, { cutAfter: [45] })
      })
      await untilEvents(calls, 5)
      replication.stall()
      await wait(400) // the tail that will be lost
      await world.store.kill()
      for (const { relay } of world.nodes) relay.lead(replica.port)
      await promote(replica.port)

      const records = await Promise.all(calls.map(({ done }) => done))
      const faults = []
      for (const record of records) {
        const { answer, refusal } = record
        const isDefined = answer !== undefined || /^4\d\d/.test(refusal ?? '')
        if (!isDefined) faults.push(`neither result nor defined error: ${refusal}`)
        const log = answer?.result && (await readRedisStream(replica.port, streamOf(record) ?? ''))
        faults.push(...judgeCall(record, log).filter((fault) => !fault.startsWith('no answer')))
      }
      const results = records.filter(({ answer }) => answer?.result !== undefined).length
      return { faults, figures: { streams: [records.length], results: [results] } }
    } finally {
      await world.store.start()
      for (const { relay } of world.nodes) {
        relay.lead(world.store.port)
        relay.cut()
        relay.resume()
      }
      await replica[Symbol.asyncDispose]()
      await replication[Symbol.asyncDispose]()
    }
  },

  describe: ({ streams, results }) =>
    `${total(streams)} streams: ${total(results)} with their result, ${total(streams) - total(results)} with an error`,
}

/** @param {number} port */
async function isInSync(port) {
  const client = new Redis(port, '127.0.0.1')
  try {
    const info = await client.info('replication')
    return info.includes('master_link_status:up') && info.includes('master_sync_in_progress:0')
  } finally {
    client.disconnect()
  }
}

/** @param {number} port */
async function promote(port) {
  const client = new Redis(port, '127.0.0.1')
  try {
    await client.replicaof('NO', 'ONE')
  } finally {
    client.disconnect()
  }
}
