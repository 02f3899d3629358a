/** Everything a scenario breaks: a store, server processes that each reach it by a relay, and a balancer before them. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { openRelay, startBalancer, startServerProcess } from '@parley/cluster/testing'

import { createClient } from './client.mjs'
import { openStore } from './stores.mjs'

/** @import { Relay, ServerProcess } from '@parley/cluster/testing' */
/** @typedef {Awaited<ReturnType<typeof openWorld>>} World */

/**
 * @typedef {object} WorldOptions
 * @property {'redis' | 'postgres'} [store]
 * @property {number} [leaseMs]
 * @property {number} [processes]
 * @property {number} [busLost] the share of hints that no process hears
 * @property {boolean} [storesData] of a store that is started again
 * @property {number} [drainMs]
 * @property {1 | 2} [format] of the keys that the first processes read and write; those that replace them are of this version
 */

/**
 * @typedef {object} Node
 * @property {ServerProcess} server
 * @property {Relay} relay to the store
 * @property {number} startedAt
 */

/** Thirty that start at once would take their leases too late on a small machine. */
const startedAtOnce = 4

const program = fileURLToPath(new URL('fixture/server.mjs', import.meta.url))
const clock = new URL('fixture/clock.mjs', import.meta.url).href

/** @param {WorldOptions} options */
export async function openWorld(options = {}) {
  const {
    store: kind = 'redis',
    leaseMs = 1_500,
    processes = 3,
    busLost = 0,
    storesData = true,
    drainMs = 5_000,
    format = 2,
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
  const journal = join(folder, 'journal')
  writeFileSync(journal, '')
  const secret = randomBytes(32).toString('base64url')
  const store = await openStore(kind, { storesData })
  const balancer = await startBalancer({ readyEveryMs: Math.min(200, leaseMs / 6) })
  /** @type {Node[]} */
  const nodes = []

  /** @param {Relay} relay @param {1 | 2} [writes] @returns {Promise<Node>} */
  async function startNode(relay, writes = 2) {
    const server = await startServerProcess(program, {
      nodeArgs: ['--import', clock],
      env: {
        CHAOS_STORE: kind,
        CHAOS_STORE_URL: store.urlAt(relay.port),
        CHAOS_LEASE_MS: String(leaseMs),
        CHAOS_BUS_LOST: String(busLost),
        CHAOS_JOURNAL: journal,
        CHAOS_DRAIN_MS: String(drainMs),
        CHAOS_FORMAT: String(writes),
        PARLEY_SECRET: secret,
      },
    })
    balancer.add(server.url)
    return { server, relay, startedAt: performance.now() }
  }

  /** Puts a new process into the place of one that ended. @param {Node} node */
  async function replace(node) {
    balancer.remove(node.server.url)
    const position = nodes.indexOf(node)
    nodes[position] = await startNode(node.relay)
  }

  /** All processes run, reach the store, and have done so for a whole lease: only then may they judge others. */
  async function heal() {
    for (const { relay } of nodes) relay.resume()
    for (const node of nodes) if (!node.server.isRunning) await replace(node)
    await until(() => balancer.ready().length === nodes.length, 'all processes are ready')
    const youngest = Math.max(...nodes.map(({ startedAt }) => startedAt))
    await wait(Math.max(0, youngest + leaseMs * 1.2 - performance.now()))
  }

  async function close() {
    await Promise.all(nodes.map(({ server }) => server[Symbol.asyncDispose]()))
    await balancer[Symbol.asyncDispose]()
    await Promise.all(nodes.map(({ relay }) => relay[Symbol.asyncDispose]()))
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const relays = await Promise.all(Array.from({ length: processes }, () => openRelay(store.port)))
    for (let next = 0; next < relays.length; next += startedAtOnce) {
      const some = relays.slice(next, next + startedAtOnce)
      nodes.push(...(await Promise.all(some.map((relay) => startNode(relay, format)))))
    }
  } catch (error) {
    await close()
    throw error
  }

  return {
    leaseMs,
    store,
    balancer,
    nodes,
    url: `${balancer.url}/mcp`,
    heal,
    replace,
    close,

    /** A client behind the balancer, with a session. @param {{ user?: string, url?: string, silenceMs?: number }} [about] */
    openClient: (about = {}) =>
      createClient({ url: `${balancer.url}/mcp`, silenceMs: leaseMs, ...about }).open(),

    /** @param {number} pid */
    nodeOf(pid) {
      const node = nodes.find(({ server }) => server.pid === pid)
      if (node === undefined) throw new Error(`no process has the number ${pid}`)
      return node
    },

    /** How often something was counted by all processes together. @param {string} name */
    async countOf(name) {
      const reports = await Promise.all(nodes.map(({ server }) => server.ask({ report: true })))
      let count = 0
      for (const report of reports) count += Number(Object(report).totals?.[name] ?? 0)
      return count
    },

    /** Keys of handlers that ran more often than once. */
    ranTwice() {
      const keys = readFileSync(journal, 'utf8').split('\n').filter(Boolean)
      return keys.filter((key, index) => keys.indexOf(key) !== index)
    },
  }
}

/**
 * Waits until each of these calls has had so many events.
 *
 * @param {readonly import('./call-model.mjs').OpenCall[]} calls
 * @param {number} count
 */
export async function untilEvents(calls, count) {
  await until(() => {
    const refused = calls.find(({ record }) => record.refusal !== undefined)
    if (refused) throw new Error(`a call was refused: ${refused.record.refusal}`)
    return calls.every(({ record }) => record.events.length >= count)
  }, `${count} events of each call`)
}

/**
 * Waits for what must happen; the limit is for what never does.
 *
 * @template Value
 * @param {() => Value | Promise<Value>} poll
 * @param {string} what
 * @param {number} [limitMs]
 */
export async function until(poll, what, limitMs = 60_000) {
  const end = performance.now() + limitMs
  for (;;) {
    const value = await poll()
    if (value) return value
    if (performance.now() > end) throw new Error(`did not happen within ${limitMs} ms: ${what}`)
    await wait(10)
  }
}
