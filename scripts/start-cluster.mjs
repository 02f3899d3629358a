/** `npm start -- --cluster 3`: the everything server as several processes behind a balancer, to kill some of them. */

import { randomBytes } from 'node:crypto'
import { env } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import {
  findRedis,
  installRedis,
  startBalancer,
  startRedisProcess,
  startServerProcess,
} from '@parley/cluster/testing'

/** @import { Balancer, ServerProcess } from '@parley/cluster/testing' */

const program = fileURLToPath(new URL('cluster-server.mjs', import.meta.url))
/** Long enough to see that the others do without it. */
const restartMs = 3_000

/**
 * @typedef {object} StartedCluster
 * @property {string} url of the endpoint, at the balancer
 * @property {string} about what is shared, and how
 * @property {() => readonly number[]} pids of the processes that serve now
 * @property {() => Promise<void>} close
 */

/**
 * Starts so many processes. `print` hears of every one that ends and is started again.
 *
 * @param {number} count
 * @param {(line: string) => void} print
 * @returns {Promise<StartedCluster>}
 */
export async function startCluster(count, print) {
  const balancer = await startBalancer()
  const url = `${balancer.url}/mcp`
  const secret = env['PARLEY_SECRET'] ?? randomBytes(32).toString('base64url')
  const named = env['REDIS_URL']
  if (named === undefined && findRedis() === undefined) {
    return startAlone(count, { balancer, secret, print })
  }

  const own = named === undefined ? await startRedisProcess() : undefined
  const redisUrl = own?.url ?? named
  /** @type {Set<ServerProcess>} */
  const running = new Set()
  let isClosing = false

  async function start() {
    const started = await startServerProcess(program, {
      env: { REDIS_URL: redisUrl, PARLEY_SECRET: secret },
    })
    running.add(started)
    balancer.add(started.url)
    void started.ended.then(({ signal, code }) => replace(started, signal ?? `code ${code}`))
    return started
  }

  /** @param {ServerProcess} lost @param {string} how */
  async function replace(lost, how) {
    running.delete(lost)
    balancer.remove(lost.url)
    if (isClosing) return
    print(`process ${lost.pid} ended with ${how}; another is started in ${restartMs / 1_000} s`)
    await wait(restartMs)
    if (isClosing) return
    const { pid } = await start()
    print(`process ${pid} serves in its place`)
  }

  await Promise.all(Array.from({ length: count }, start))
  return {
    url,
    about: own ? `a Redis of its own (${own.url})` : `the Redis of REDIS_URL`,
    pids: () => [...running].map(({ pid }) => pid),
    async close() {
      isClosing = true
      await Promise.all([...running].map((one) => one[Symbol.asyncDispose]()))
      await balancer[Symbol.asyncDispose]()
      await own?.[Symbol.asyncDispose]()
    },
  }
}

/**
 * Without a Redis: one program that holds the store and starts the others.
 *
 * @param {number} count
 * @param {{ balancer: Balancer, secret: string, print(line: string): void }} around
 * @returns {Promise<StartedCluster>}
 */
async function startAlone(count, { balancer, secret, print }) {
  /** @type {Set<number>} */
  const pids = new Set()
  const parent = await startServerProcess(program, {
    args: ['--processes', String(count)],
    env: { PARLEY_SECRET: secret },
    onLine(line) {
      const serving = /^(\d+) http/.exec(line)?.[1]
      const ended = /^process (\d+) ended/.exec(line)?.[1]
      if (serving !== undefined) pids.add(Number(serving))
      if (ended === undefined) return
      pids.delete(Number(ended))
      print(line)
    },
  })
  balancer.add(parent.url)
  while (pids.size < count) await wait(20)
  return {
    url: `${balancer.url}/mcp`,
    about: `the first process, since there is no Redis: set REDIS_URL, or ${installRedis}`,
    pids: () => [...pids],
    async close() {
      parent.kill('SIGTERM')
      await Promise.race([parent.ended, wait(2_000)])
      await parent[Symbol.asyncDispose]()
      await balancer[Symbol.asyncDispose]()
    },
  }
}
