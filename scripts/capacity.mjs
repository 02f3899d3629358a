#!/usr/bin/env node
/**
 * `node scripts/capacity.mjs`: how many processes and how much of Redis a load takes, by the formulas of docs/capacity.md.
 * `--help` lists what it can be told.
 */

import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * What a service has to carry. Rates are per second, of all processes together.
 *
 * @typedef {object} Load
 * @property {number} sessions
 * @property {number} callsPerSecond
 * @property {number} streamedShare calls that send progress, questions or logs, from 0 to 1
 * @property {number} handlerMs CPU time of your own code in one call
 * @property {number} listeningShare sessions with an open stream, from 0 to 1
 * @property {number} streamMinutes how long a stream stays open until a proxy or the client ends it
 * @property {number} sessionMinutes
 * @property {number} endedShare sessions that end by DELETE, from 0 to 1
 * @property {number} subscribedShare sessions that subscribe, from 0 to 1
 * @property {number} changesPerSecond changes of lists and resources
 * @property {boolean} affinity the balancer keeps a session at one process
 */

/** 1,000,000 sessions of 30 minutes with a call every 30 s. @type {Load} */
export const exampleLoad = {
  sessions: 1_000_000,
  callsPerSecond: 33_300,
  streamedShare: 0.1,
  handlerMs: 0.3,
  listeningShare: 0.5,
  streamMinutes: 10,
  sessionMinutes: 30,
  endedShare: 0.3,
  subscribedShare: 0.2,
  changesPerSecond: 50,
  affinity: true,
}

/** The unit costs of docs/capacity.md. Times in seconds of CPU, sizes in bytes. */
const cost = {
  call: 25e-6,
  firstUse: 121e-6,
  streamedCall: 470e-6,
  openStream: 4e-6,
  streamOpened: 395e-6,
  busyShare: 0.6,
  reserve: 1.1,
  processBytes: 60e6,
  sessionBytes: 1_700,
  streamBytes: 28_000,
  redisStreamedCall: 165e-6,
  redisStreamOpened: 200e-6,
  redisChange: 160e-6,
  redisFirstUse: 16e-6,
  redisMessagePerProcess: 1.4e-6,
  redisBusyShare: 0.7,
  loggedCallBytes: 1_500,
  loggedSeconds: 60,
  streamLogBytes: 600,
  endedBytes: 170,
  recordBytes: 209,
  keptSeconds: 86_400,
}

/** @param {Load} load */
export function capacityOf(load) {
  const { sessions, callsPerSecond, streamedShare, handlerMs, affinity } = load
  const openedPerSecond = sessions / (load.sessionMinutes * 60)
  const endedPerSecond = openedPerSecond * load.endedShare
  const subscribedPerSecond = openedPerSecond * load.subscribedShare
  const streams = sessions * load.listeningShare
  const streamsPerSecond = streams / (load.streamMinutes * 60)
  const streamed = callsPerSecond * streamedShare
  const cores =
    callsPerSecond * (handlerMs / 1_000 + cost.call * (1 - streamedShare)) +
    streamed * cost.streamedCall +
    streams * cost.openStream +
    openedPerSecond * cost.firstUse +
    streamsPerSecond * cost.streamOpened
  const processes = Math.max(1, Math.ceil((cores / cost.busyShare) * cost.reserve))
  const known = affinity ? Math.min(sessions, (2 * sessions) / processes) : sessions
  const processBytes =
    cost.processBytes + known * cost.sessionBytes + (streams / processes) * cost.streamBytes
  const messages = streamsPerSecond + endedPerSecond + subscribedPerSecond + load.changesPerSecond
  const redisCores =
    streamed * cost.redisStreamedCall +
    streamsPerSecond * cost.redisStreamOpened +
    (endedPerSecond + subscribedPerSecond + load.changesPerSecond) * cost.redisChange +
    openedPerSecond * cost.redisFirstUse +
    messages * cost.redisMessagePerProcess * processes
  const redisBytes =
    streamed * cost.loggedSeconds * cost.loggedCallBytes +
    streams * cost.streamLogBytes +
    (endedPerSecond * cost.endedBytes + subscribedPerSecond * cost.recordBytes) * cost.keptSeconds
  return {
    cores,
    processes,
    processBytes,
    filesPerProcess: Math.ceil(streams / processes) + 1_000,
    redisCores,
    redisServers: Math.max(1, Math.ceil(redisCores / cost.redisBusyShare)),
    redisBytes,
  }
}

/** @param {Load} load */
export function describeCapacity(load) {
  const { cores, processes, processBytes, filesPerProcess, ...redis } = capacityOf(load)
  const megabytes = (/** @type {number} */ bytes) =>
    `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`
  return [
    `CPU of all processes   ${cores.toFixed(1)} cores`,
    `processes of one core  ${processes}`,
    `memory of each         ${megabytes(processBytes)}`,
    `open files of each     ${filesPerProcess.toLocaleString('en-US')}`,
    `CPU of Redis           ${redis.redisCores.toFixed(2)} cores`,
    `Redis servers          ${redis.redisServers}`,
    `memory of Redis        ${megabytes(redis.redisBytes)}`,
  ].join('\n')
}

const flags = /** @type {const} */ ({
  sessions: 'sessions',
  'calls-per-second': 'callsPerSecond',
  'streamed-share': 'streamedShare',
  'handler-ms': 'handlerMs',
  'listening-share': 'listeningShare',
  'stream-minutes': 'streamMinutes',
  'session-minutes': 'sessionMinutes',
  'ended-share': 'endedShare',
  'subscribed-share': 'subscribedShare',
  'changes-per-second': 'changesPerSecond',
})

/** The example, with what was given in its place. Throws with what is wrong. @param {readonly string[]} args @returns {Load} */
export function readLoad(args) {
  const options = Object.fromEntries(
    Object.keys(flags).map((name) => [name, { type: /** @type {const} */ ('string') }]),
  )
  const { values } = parseArgs({
    args: [...args],
    options: { ...options, 'no-affinity': { type: 'boolean', default: false } },
  })
  /** @type {Readonly<Record<string, string | boolean | undefined>>} */
  const texts = values
  /** @type {Load} */
  const load = { ...exampleLoad, affinity: !values['no-affinity'] }
  for (const [name, member] of Object.entries(flags)) {
    const text = texts[name]
    if (typeof text !== 'string') continue
    const number = Number(text)
    const most = name.endsWith('-share') ? 1 : Infinity
    if (text === '' || !(number >= 0) || number > most) {
      throw new Error(
        `--${name} ${text} is out of range: use ${most === 1 ? '0 to 1' : '0 or more'}`,
      )
    }
    load[member] = number
  }
  return load
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  if (argv.includes('--help')) {
    const names = Object.entries(flags).map(
      ([name, member]) => `  --${name} N (${exampleLoad[member]})`,
    )
    console.log(['node scripts/capacity.mjs [options]', ...names, '  --no-affinity'].join('\n'))
    exit(0)
  }
  try {
    console.log(describeCapacity(readLoad(argv.slice(2))))
  } catch (error) {
    console.error(`capacity: ${error instanceof Error ? error.message : String(error)}`)
    exit(2)
  }
}
