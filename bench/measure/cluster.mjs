// What sharing costs: the same server alone and with a Redis, and several processes against one.
import { setTimeout } from 'node:timers/promises'

import { startRedisProcess } from '@parley/cluster/testing'
import { Redis } from 'ioredis'

import { startChild } from './child.mjs'
import { openHttpLoad } from './http-load.mjs'
import { measureSessionMemory, withServer } from './http-server.mjs'
import { cpuMicrosByProcess } from './process-times.mjs'
import { sampleOf } from './statistics.mjs'

/** How long nobody calls, to see what a cluster does by itself. */
const idleMs = 4_000

/** One round of requests; CPU time is the server's and its Redis's together. */
export async function measureShared(
  program,
  { isShared, workload, operations, warmUp, args = [], ...options },
) {
  const redis = isShared ? await openCountedRedis() : undefined
  const ownArgs = redis === undefined ? args : [...args, '--redis', redis.url]
  try {
    return await withServer(program, { ...options, args: ownArgs }, async (child, load) => {
      await load.openSessions()
      await load.call(workload, warmUp)
      const background = await countsPerSecond(redis)
      const before = await countsOf(child, redis)
      const { latencies, seconds } = await load.call(workload, operations)
      const after = await countsOf(child, redis)
      const commands = after.commands - before.commands - background * seconds
      const redisMicros = after.redisMicros - before.redisMicros
      const cpuMicros = after.cpuMicros - before.cpuMicros + redisMicros
      return {
        ...sampleOf({ cpuMicros, latencies, seconds }),
        redisMicros: redisMicros / operations,
        commands: Math.max(0, commands) / operations,
        background,
      }
    })
  } finally {
    await redis?.close()
  }
}

/** What an idle session keeps in memory. */
export async function measureSharedMemory(program, { isShared, args = [], ...load }) {
  const redis = isShared ? await openCountedRedis() : undefined
  const ownArgs = redis === undefined ? args : [...args, '--redis', redis.url]
  try {
    return await measureSessionMemory(program, { ...load, args: ownArgs })
  } finally {
    await redis?.close()
  }
}

/**
 * One round of requests to several processes on one port. On few cores the load generator takes time away from them, so what
 * counts is how many calls fit into a second of the busiest process: that is what they answer when the load comes from elsewhere.
 */
export async function measureProcesses(
  program,
  { processes, workload, operations, warmUp, connections },
) {
  const child = startChild(program, { args: ['--processes', String(processes)] })
  let load
  try {
    load = openHttpLoad(await child.hear('port'), connections)
    await child.orExit(load.openSessions())
    await child.orExit(load.call(workload, warmUp))
    const before = cpuMicrosByProcess(child.pid)
    const { latencies, seconds } = await child.orExit(load.call(workload, operations))
    const after = cpuMicrosByProcess(child.pid)
    const used = [...after].map(([pid, micros]) => micros - (before.get(pid) ?? 0))
    const cpuMicros = used.reduce((sum, micros) => sum + micros, 0)
    const busiest = Math.max(...used)
    return {
      ...sampleOf({ cpuMicros, latencies, seconds }),
      perBusySecond: operations / (busiest / 1e6),
    }
  } finally {
    load?.close()
    await child.end()
  }
}

async function openCountedRedis() {
  const server = await startRedisProcess()
  const client = new Redis(server.url)
  return {
    url: server.url,
    /** Commands of everybody but us, and CPU time. */
    async counts() {
      const stats = await client.info('commandstats')
      const cpu = await client.info('cpu')
      const commands = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
        .filter(([, name]) => name !== 'info')
        .reduce((sum, [, , calls]) => sum + Number(calls), 0)
      const seconds = [...cpu.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)]
      const redisMicros = seconds.reduce((sum, [, text]) => sum + Number(text) * 1e6, 0)
      return { commands, redisMicros }
    },
    async close() {
      client.disconnect()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function countsOf(child, redis) {
  const cpuMicros = await child.cpuMicros()
  return { cpuMicros, ...((await redis?.counts()) ?? { commands: 0, redisMicros: 0 }) }
}

/** What heartbeats and looking for news cost, whether anybody calls or not. */
async function countsPerSecond(redis) {
  if (redis === undefined) return 0
  const before = await redis.counts()
  await setTimeout(idleMs)
  const after = await redis.counts()
  return ((after.commands - before.commands) / idleMs) * 1_000
}
