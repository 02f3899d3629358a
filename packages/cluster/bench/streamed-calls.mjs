#!/usr/bin/env node
/**
 * What the log of a streamed call costs in Redis and in the process that writes it: `node packages/cluster/bench/streamed-calls.mjs
 * [calls]`, after a build. CPU times, so that other work on the machine counts little.
 */

import process, { argv } from 'node:process'

import { createRedisCluster } from '@parley/cluster/redis'
import { startRedisProcess } from '@parley/cluster/testing'
import { Redis } from 'ioredis'

const calls = Number(argv[2] ?? 2_000)
const batches = 6
const server = await startRedisProcess()
const redis = new Redis(server.url)
const cluster = createRedisCluster({ url: server.url, secret: 'x'.repeat(32) })
await cluster.start()

/** One call: events apart, each in a batch of its own. @param {number} at */
async function call(at) {
  const ref = { sessionId: `session-${at}`, streamId: 'one' }
  for (let sequence = 1; sequence <= batches; sequence += 1) {
    const texts = [
      `id: one_${sequence}\ndata: {"jsonrpc":"2.0","params":{"progress":${sequence}}}\n\n`,
    ]
    const about = sequence === 1 ? '[{"id":1}]' : undefined
    await cluster.log.append(ref, {
      firstSequence: sequence,
      texts,
      isLast: sequence === batches,
      about,
    })
  }
}

/** Seconds of CPU that Redis has used, and commands that it was sent. */
async function redisFigures() {
  const [cpu, stats] = [await redis.info('cpu'), await redis.info('commandstats')]
  const number = (/** @type {string} */ text, /** @type {RegExp} */ name) =>
    Number(name.exec(text)?.[1] ?? 0)
  return {
    seconds: number(cpu, /used_cpu_user:([\d.]+)/) + number(cpu, /used_cpu_sys:([\d.]+)/),
    commands:
      number(stats, /cmdstat_evalsha:calls=(\d+)/) + number(stats, /cmdstat_publish:calls=(\d+)/),
  }
}

/** @param {number} from @param {number} count */
async function run(from, count) {
  for (let next = from; next < from + count; next += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, at) => call(next + at)))
  }
}

await run(0, 400)
const before = await redisFigures()
const cpuBefore = process.cpuUsage()
await run(1_000, calls)
const { user, system } = process.cpuUsage(cpuBefore)
const after = await redisFigures()
const micros = (/** @type {number} */ seconds) => Math.round((seconds * 1e6) / calls)
console.table({
  calls,
  'Redis, µs of CPU a call': micros(after.seconds - before.seconds),
  'process, µs of CPU a call': Math.round((user + system) / calls),
  'commands sent a call': Number(((after.commands - before.commands) / calls).toFixed(1)),
})
redis.disconnect()
await cluster.close()
await server[Symbol.asyncDispose]()
