// Every case: what is measured, and the budget it has to meet.
import { programOf } from './contestants.mjs'
import { measureCaller, measureHttpCaller } from './measure/caller.mjs'
import {
  measureHandshakes,
  measureHttpServer,
  measureSessionMemory,
} from './measure/http-server.mjs'
import { measureColdStart, measureStdioServer } from './measure/stdio-server.mjs'
import { echo, large, list } from './measure/workloads.mjs'

/**
 * By name. A case with `measure` is one round of one contestant, and its budget is `atLeast` for official v2 ÷ ours and
 * `atMost` for ours ÷ the floor. The others compare packages rather than programs.
 */
export const cases = {
  'stdio-64': stdioCase({
    title: 'tools/call over stdio, 64 in flight',
    budget: { atLeast: 7, atMost: 2 },
    load: { workload: echo, operations: 20_000, warmUp: 10_000, inFlight: 64 },
  }),
  'stdio-1': stdioCase({
    title: 'tools/call over stdio, 1 in flight',
    budget: { atLeast: 4, atMost: 1.5 },
    rounds: 9,
    load: { workload: echo, operations: 10_000, warmUp: 5_000, inFlight: 1 },
  }),
  memory: callerCase({
    title: 'tools/call, client and server in one process',
    budget: { atLeast: 8, atMost: 1.5 },
    programs: 'memory/*',
    load: { operations: 30_000, warmUp: 10_000, inFlight: 1 },
  }),
  'client-stdio-64': callerCase({
    title: 'client calling over stdio, 64 in flight',
    budget: { atLeast: 3, atMost: 1.6 },
    programs: 'clients/*-stdio',
    load: { operations: 20_000, warmUp: 10_000, inFlight: 64 },
  }),
  'result-1mib': stdioCase({
    title: 'a tool result of 1 MiB over stdio',
    budget: { atLeast: 1.1, atMost: 1.1 },
    load: { workload: large, operations: 100, warmUp: 30, inFlight: 1 },
  }),
  'tools-list-100': stdioCase({
    title: 'tools/list of 100 tools over stdio',
    // The pipe takes most of it: the floor itself is about 55 times cheaper than official v2.
    budget: { atLeast: 35, atMost: 1.5 },
    load: {
      workload: list(100),
      operations: 500,
      warmUp: 200,
      inFlight: 8,
      args: ['--tools', '99'],
    },
  }),
  'http-session-32': httpCase({
    title: 'tools/call in sessions over HTTP, 32 connections',
    budget: { atLeast: 5, atMost: 2 },
    load: { workload: echo, operations: 10_000, warmUp: 5_000, connections: 32 },
  }),
  'http-stateless-32': httpCase({
    title: 'tools/call without sessions over HTTP, 32 connections',
    budget: { atLeast: 8, atMost: 2 },
    load: { workload: echo, operations: 6_000, warmUp: 5_000, connections: 32, sessions: 'off' },
  }),
  'http-tools-list-100': httpCase({
    title: 'tools/list of 100 tools over HTTP without sessions, 8 connections',
    budget: { atLeast: 70, atMost: 1.5 },
    rounds: 3,
    load: {
      workload: list(100),
      operations: 1_000,
      warmUp: 4_000,
      connections: 8,
      sessions: 'off',
      args: ['--tools', '99'],
    },
  }),
  'http-initialize': httpCase({
    title: 'a session over HTTP: initialize, initialized, DELETE; 32 connections',
    budget: { atLeast: 4, atMost: 1.5 },
    measure: measureHandshakes,
    load: { operations: 3_000, warmUp: 2_000, connections: 32 },
  }),
  'http-session-memory': {
    ...httpCase({
      title: 'memory of an idle session over HTTP',
      budget: { atLeast: 6, atMost: 4 },
      rounds: 3,
      measure: measureSessionMemory,
      load: { operations: 5_000, warmUp: 1_000, connections: 8 },
    }),
    kind: 'sessions',
  },
  'client-http': callerCase({
    title: 'client calling over HTTP, 8 in flight',
    budget: { atLeast: 4, atMost: 2.5 },
    programs: 'clients/*-http',
    measure: measureHttpCaller,
    load: { operations: 5_000, warmUp: 3_000, inFlight: 8 },
  }),
  'result-1mib-http': httpCase({
    title: 'a tool result of 1 MiB over HTTP',
    budget: { atLeast: 1.1, atMost: 1.1 },
    load: { workload: large, operations: 100, warmUp: 30, connections: 1 },
  }),
  'cold-start': {
    title: 'start of a stdio server to its first tool result',
    kind: 'starts',
    budget: { atLeast: 2, atMost: 1.3 },
    rounds: 10,
    guests: [{ name: 'parley-json', title: 'Parley without Zod', isOurs: true }],
    measure: (contestant, { nodeArgs } = {}) =>
      measureColdStart(programOf(contestant, 'servers/*-stdio'), { nodeArgs }),
  },
  import: {
    title: 'import of an entry, above bare Node',
    kind: 'imports',
    budget: { atMostMs: 25 },
    rounds: 10,
  },
  'install-size': {
    title: 'what an install brings',
    kind: 'sizes',
    budget: { packages: 3, bytes: 2 ** 20 },
    rounds: 1,
  },
}

function stdioCase({ title, budget, rounds = 5, load }) {
  return {
    title,
    kind: 'ratio',
    budget,
    rounds,
    measure: (contestant, change) =>
      measureStdioServer(programOf(contestant, 'servers/*-stdio'), changed(load, change)),
  }
}

function httpCase({ title, budget, rounds = 5, measure = measureHttpServer, load }) {
  return {
    title,
    kind: 'ratio',
    budget,
    rounds,
    measure: (contestant, change) =>
      measure(programOf(contestant, 'servers/*-http'), changed(load, change)),
  }
}

function callerCase({ title, budget, programs, measure = measureCaller, load }) {
  return {
    title,
    kind: 'ratio',
    budget,
    rounds: 5,
    measure: (contestant, change) =>
      measure(programOf(contestant, programs), changed(load, change)),
  }
}

/** Fewer operations, for a quick look, need no longer warm-up than themselves. */
function changed(load, { operations, nodeArgs } = {}) {
  if (operations === undefined) return { ...load, nodeArgs }
  return { ...load, operations, warmUp: Math.min(load.warmUp, operations), nodeArgs }
}
