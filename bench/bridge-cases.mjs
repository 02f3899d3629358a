// Calls through a bridge and a gateway, beside a relay written by hand and the bridges of others.
import { changed } from './case-kinds.mjs'
import { programOf } from './contestants.mjs'
import {
  measureFirstCall,
  measureHttpServer,
  measureSessionMemory,
} from './measure/http-server.mjs'
import { measureStdioServer } from './measure/stdio-server.mjs'
import { echo, hubEcho } from './measure/workloads.mjs'
import { rivalsNamed } from './rivals.mjs'

const bridge = { name: 'parley', title: 'parley bridge', isOurs: true }
const relay = { name: 'floor', title: 'hand-written relay' }
const gateway = { name: 'gateway', title: 'parley gateway' }
const command = { name: 'cli', title: 'parley bridge, as a command' }
/** They need so long for a call that fewer tell as much. */
const fewer = { operations: 4_000, warmUp: 4_000 }
const bridges = rivalsNamed('supergateway', 'mcp-proxy')
/** It offers servers to programs over an API of its own, and to clients of the protocol over HTTP+SSE only. */
const hubs = rivalsNamed('mcp-hub').map((hub) => ({
  ...hub,
  title: `${hub.title}, by its own API`,
  load: { ...fewer, workload: hubEcho, sessions: 'off' },
}))

const calls = { workload: echo, operations: 15_000, warmUp: 10_000, connections: 32 }
const single = { workload: echo, operations: 3_000, warmUp: 3_000, connections: 1 }
const overHttp = { args: ['--http'] }

/** A session that has a child process to itself: few are enough, and the children are not counted. */
const ownChild = { operations: 30, warmUp: 10 }

export const bridgeCases = {
  'gateway-stdio-32': bridgeCase({
    title: 'tools/call over HTTP through a bridge to a server over stdio, 32 connections',
    kind: 'bridges',
    contestants: [
      bridge,
      relay,
      gateway,
      ...bridges.map((each) => ({ ...each, load: fewer })),
      ...hubs,
    ],
    budget: { relayAtMost: 2.5, rivalsAtLeast: { supergateway: 5 }, perCpuSecondAtLeast: 5_000 },
    load: calls,
  }),
  'gateway-http-32': bridgeCase({
    title: 'tools/call over HTTP through a bridge to a server over HTTP, 32 connections',
    kind: 'bridges',
    contestants: [bridge, relay, gateway, ...hubs],
    budget: { rivalsAtLeast: { 'mcp-hub': 3 }, perCpuSecondAtLeast: 5_000 },
    load: { ...calls, ...overHttp, operations: 10_000, warmUp: 8_000 },
  }),
  'gateway-stdio-1': latencyCase({
    title: 'latency that a bridge adds to a server over stdio, one call at a time',
    measureDirect: (load) =>
      measureStdioServer(floorAt('servers/*-stdio'), { ...load, inFlight: 1 }),
    others: bridges,
  }),
  'gateway-http-1': latencyCase({
    title: 'latency that a bridge adds to a server over HTTP, one call at a time',
    measureDirect: (load) => measureHttpServer(floorAt('servers/*-http'), load),
    load: overHttp,
  }),
  'gateway-session-memory': bridgeCase({
    title: 'memory of an idle session in the process of a bridge to a server over stdio',
    kind: 'bridge-sessions',
    rounds: 3,
    measure: measureSessionMemory,
    contestants: [
      { ...bridge, title: 'parley bridge, one child for all' },
      { ...gateway, title: 'parley gateway, one child for all' },
      { ...command, title: 'parley bridge, a child for each', load: ownChild },
      ...bridges.map((each) => ({
        ...each,
        title: `${each.title}, a child for each`,
        load: ownChild,
      })),
    ],
    budget: { atMostBytes: 100_000 },
    load: { operations: 2_000, warmUp: 500, connections: 8 },
  }),
  'gateway-start': bridgeCase({
    title: 'start of a bridge to the result of the first call of a server over stdio',
    kind: 'bridge-starts',
    rounds: 7,
    measure: measureFirstCall,
    contestants: [command, relay, bridge, gateway, ...bridges],
    load: { workload: echo },
  }),
}

function bridgeCase({
  kind,
  measure = measureHttpServer,
  budget = {},
  rounds = 5,
  load,
  ...about
}) {
  return {
    ...about,
    kind,
    budget,
    rounds,
    measure: (contestant, change) =>
      measure(
        programOf(contestant, 'servers/*-bridge'),
        changed({ operations: 1, warmUp: 1, ...load, ...contestant.load }, change),
      ),
  }
}

/** The same calls with nothing between; what the others need beyond that is what they add. */
function latencyCase({ title, measureDirect, others = [], load = {} }) {
  const through = bridgeCase({
    title,
    kind: 'latencies',
    budget: { addedAtMostMicros: 500 },
    contestants: [{ name: 'direct', title: 'directly' }, bridge, relay, gateway, ...others],
    load: { ...single, ...load },
  })
  return {
    ...through,
    measure: (contestant, change) =>
      contestant.name === 'direct'
        ? measureDirect(changed(single, change))
        : through.measure(contestant, change),
    finish: withAdded,
  }
}

function withAdded(rows) {
  const direct = rows.find(({ name }) => name === 'direct')?.figures
  return rows.map((row) => {
    if (direct === undefined || row.figures === undefined || row.name === 'direct') return row
    const { p50Micros, p99Micros } = row.figures
    const addedP50Micros = p50Micros - direct.p50Micros
    const addedP99Micros = p99Micros - direct.p99Micros
    return { ...row, figures: { ...row.figures, addedP50Micros, addedP99Micros } }
  })
}

function floorAt(pattern) {
  return programOf({ name: 'floor' }, pattern)
}
