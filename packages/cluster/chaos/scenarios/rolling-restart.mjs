import { setTimeout as wait } from 'node:timers/promises'

import { judgeCall } from '../oracle.mjs'
import { total } from '../scenario.mjs'
import { until } from '../world.mjs'

/** @typedef {import('../client.mjs').Client} Client */
/** @typedef {import('../world.mjs').World} World */

/** @type {import('../scenario.mjs').Scenario} */
export const rollingRestart = {
  name: 'rolling-restart',
  title: '10,000 sessions, rolling restart of all processes under load',
  target: 'no acknowledged result lost, errors < 0.1 %',
  stores: ['redis'],

  run: (world, round) => deploy(world, round),

  describe: ({ sessions, sent, streams, errors }) =>
    `${total(sessions).toLocaleString('en-US')} sessions, ${total(sent).toLocaleString('en-US')} calls (${total(streams).toLocaleString('en-US')} streams), ${total(errors)} errors`,
}

/** @type {import('../scenario.mjs').Scenario} */
export const rollingFormats = {
  ...rollingRestart,
  name: 'rolling-formats',
  title: 'rolling deploy from the version that writes the previous format of keys',
  target: 'no acknowledged result lost, errors < 0.1 %, the newest format at the end',
  world: { format: 1 },
  isFresh: true,

  async run(world, round) {
    const before = await world.store.readFormat()
    const outcome = await deploy(world, round, async () => {
      await until(async () => (await world.store.readFormat()) === '2', 'format 2 is written')
      await wait(world.leaseMs) // and everybody writes it
    })
    if (before !== '1') outcome.faults.push(`the old processes wrote format ${before}`)
    return outcome
  },
}

/**
 * Replaces one process after the other while clients call. `settled` is waited for before the last look at all sessions.
 *
 * @param {World} world
 * @param {import('../scenario.mjs').Round} round
 * @param {() => Promise<void>} [settled]
 * @returns {Promise<import('../scenario.mjs').Outcome>}
 */
async function deploy(world, { random, number, isQuick }, settled = async () => undefined) {
  const clients = await openMany(world, isQuick ? 200 : 10_000, 50)
  const counts = { calls: 0, streams: 0 }
  /** @type {string[]} */
  const errors = []
  /** @type {string[]} */
  const faults = []
  let isOver = false

  const pick = () => clients[random.between(0, clients.length - 1)] ?? clients[0]

  /** @param {Client | undefined} client */
  async function callOnce(client) {
    counts.calls += 1
    await client?.ask('where').catch((error) => errors.push(error.message))
  }

  /** A result is acknowledged as soon as the client has a place in its stream. @param {Client | undefined} client */
  async function streamOnce(client) {
    counts.streams += 1
    const args = { to: 5, everyMs: 20, key: `rolling-${number}-${counts.streams}` }
    const record = await client?.call('count-safely', args, { giveUpMs: 30_000 }).done
    if (record === undefined) return
    if (record.events.length === 0 && record.answer === undefined) {
      errors.push(`stream: ${record.refusal}`)
      return
    }
    if (record.answer?.result === undefined)
      faults.push(`a result was lost: ${JSON.stringify(record.answer ?? record.refusal)}`)
    faults.push(...judgeCall(record, undefined))
  }

  async function work() {
    while (!isOver) await (random.share() < 0.2 ? streamOnce(pick()) : callOnce(pick()))
  }

  const workers = Array.from({ length: isQuick ? 8 : 32 }, work)
  for (const node of world.nodes.slice()) {
    world.balancer.remove(node.server.url) // as a deployment does, before it ends a process
    await wait(200) // what was on its way has arrived
    node.server.kill('SIGTERM')
    const { code } = await node.server.ended
    if (code !== 0)
      faults.push(`a process ended with ${code}: ${node.server.lines.slice(-3).join(' | ')}`)
    await world.replace(node)
  }
  isOver = true
  await Promise.all(workers)

  await settled()
  // Every session has survived all processes it ever knew.
  for (let index = 0; index < clients.length; index += Math.ceil(clients.length / 200)) {
    await callOnce(clients[index])
  }
  const sent = counts.calls + counts.streams
  if (errors.length / sent >= 0.001)
    faults.push(`${errors.length} errors in ${sent}: ${[...new Set(errors)].join('; ')}`)
  return {
    faults,
    notes: [...new Set(errors)].map((error) => `error: ${error}`),
    figures: {
      sessions: [clients.length],
      sent: [sent],
      streams: [counts.streams],
      errors: [errors.length],
    },
  }
}

/** @param {World} world @param {number} count @param {number} atOnce */
async function openMany(world, count, atOnce) {
  /** @type {Client[]} */
  const clients = []
  let started = 0
  async function open() {
    while (started < count) {
      started += 1
      clients.push(await world.openClient())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, open))
  return clients
}
