// Every case: what is measured, and the budget it has to meet.
import { bridgeCases } from './bridge-cases.mjs'
import { callerCase, changed, httpCase, serverCase, startCase, stdioCase } from './case-kinds.mjs'
import { clusterCases } from './cluster-cases.mjs'
import { programOf } from './contestants.mjs'
import { hostCases } from './host-cases.mjs'
import { measureCaller, measureHttpCaller } from './measure/caller.mjs'
import {
  measureHandshakes,
  measureListeners,
  measureSessionMemory,
} from './measure/http-server.mjs'
import { measureWebSocketServer } from './measure/stdio-server.mjs'
import { bearer, echo, large, list, size, standaloneEcho, stream } from './measure/workloads.mjs'
import { telemetryCases } from './telemetry-cases.mjs'

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const mebibyte = 2 ** 20
const noMiddleware = 'has no middleware'
const noWebSocket = 'has no WebSocket server'

/**
 * By name. A case with `measure` is one round of one contestant, and its budget is `atLeast` for official v2 ÷ ours and
 * `atMost` for ours ÷ the floor; without a budget the figures are there to be looked at. `cannot` says what some cannot
 * do. The others compare packages rather than programs.
 */
export const cases = {
  'stdio-64': stdioCase({
    title: 'tools/call over stdio, 64 in flight',
    budget: { atLeast: 7, atMost: 2 },
    load: { workload: echo, operations: 60_000, warmUp: 40_000, inFlight: 64 },
  }),
  'stdio-1': stdioCase({
    title: 'tools/call over stdio, 1 in flight',
    budget: { atLeast: 4, atMost: 1.5 },
    rounds: 9,
    load: { workload: echo, operations: 20_000, warmUp: 20_000, inFlight: 1 },
  }),
  memory: callerCase({
    title: 'tools/call, client and server in one process',
    budget: { atLeast: 8, atMost: 1.5 },
    programs: 'memory/*',
    load: { operations: 30_000, warmUp: 10_000, inFlight: 1 },
  }),
  'memory-revisions': {
    title: 'tools/call in one process, by revision',
    kind: 'revisions',
    budget: { atMost: 1.5 },
    rounds: 5,
    contestants: revisions.map((revision) => ({
      name: `parley@${revision}`,
      title: `Parley in ${revision}`,
      isOurs: true,
      revision,
    })),
    measure: ({ revision }, change) =>
      measureCaller(programOf({ name: 'parley' }, 'memory/*'), {
        ...changed({ operations: 30_000, warmUp: 10_000, inFlight: 1 }, change),
        args: [revision],
      }),
  },
  'client-stdio-64': callerCase({
    title: 'client calling over stdio, 64 in flight',
    budget: { atLeast: 3, atMost: 1.6 },
    programs: 'clients/*-stdio',
    load: { operations: 60_000, warmUp: 40_000, inFlight: 64 },
  }),
  'stdio-middleware-64': stdioCase({
    title: 'tools/call over stdio through 5 layers of middleware, 64 in flight; the floor has none',
    cannot: { 'official-v1': noMiddleware, 'official-v2': noMiddleware },
    load: {
      workload: echo,
      operations: 20_000,
      warmUp: 10_000,
      inFlight: 64,
      args: ['--middleware', '5'],
    },
  }),
  'websocket-64': {
    ...serverCase(measureWebSocketServer, 'servers/*-websocket', {
      title: 'tools/call over a WebSocket, 64 in flight',
      load: { workload: echo, operations: 20_000, warmUp: 10_000, inFlight: 64 },
    }),
    cannot: { 'official-v1': noWebSocket, 'official-v2': noWebSocket },
  },
  'result-1mib': stdioCase({
    title: 'a tool result of 1 MiB over stdio',
    budget: { atLeast: 1.1, atMost: 1.1 },
    load: { workload: large(), operations: 100, warmUp: 30, inFlight: 1 },
  }),
  'tools-list-100': stdioCase({
    title: 'tools/list of 100 tools over stdio',
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
    load: { workload: echo, operations: 15_000, warmUp: 10_000, connections: 32 },
  }),
  ...bridgeCases,
  'http-stateless-32': httpCase({
    title: 'tools/call without sessions over HTTP, 32 connections',
    budget: { atLeast: 8, atMost: 2 },
    load: { workload: echo, operations: 15_000, warmUp: 10_000, connections: 32, sessions: 'off' },
  }),
  'http-modern-32': httpCase({
    title: 'tools/call in 2026-07-28 over HTTP, 32 connections',
    budget: { atLeast: 8, atMost: 2.5 },
    cannot: { 'official-v1': 'does not speak 2026-07-28' },
    load: {
      workload: standaloneEcho,
      operations: 15_000,
      warmUp: 10_000,
      connections: 32,
      sessions: 'off',
    },
  }),
  'http-guarded-32': httpCase({
    title: 'tools/call in sessions over HTTP with a verified token, 32 connections',
    load: {
      workload: echo,
      operations: 6_000,
      warmUp: 5_000,
      connections: 32,
      headers: bearer,
      args: ['--guarded'],
    },
  }),
  'http-stream-100': httpCase({
    title: 'a tool that reports progress 100 times over HTTP, 8 connections',
    load: { workload: stream, operations: 300, warmUp: 200, connections: 8 },
  }),
  'http-tools-list-100': httpCase({
    title: 'tools/list of 100 tools over HTTP without sessions, 8 connections',
    budget: { atLeast: 70, atMost: 1.5 },
    rounds: 3,
    load: {
      workload: list(100),
      operations: 1_000,
      warmUp: 2_000,
      connections: 8,
      sessions: 'off',
      args: ['--tools', '99'],
    },
  }),
  'http-tools-list-10000': httpCase({
    title: 'tools/list of 10,000 tools over HTTP, in pages if the server has them',
    rounds: 3,
    load: {
      workload: list(10_000),
      operations: 10,
      warmUp: 3,
      connections: 1,
      args: ['--tools', '9999'],
    },
  }),
  'http-initialize': httpCase({
    title: 'a session over HTTP: initialize, initialized, DELETE; 32 connections',
    budget: { atLeast: 4, atMost: 1.5 },
    measure: measureHandshakes,
    load: { operations: 8_000, warmUp: 6_000, connections: 32 },
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
  'http-listeners-1000': {
    ...httpCase({
      title: '1,000 sessions over HTTP, each with an open stream',
      rounds: 3,
      measure: measureListeners,
      load: { operations: 1_000, warmUp: 100 },
    }),
    kind: 'listeners',
  },
  'client-http': callerCase({
    title: 'client calling over HTTP, 8 in flight',
    budget: { atLeast: 4, atMost: 2.5 },
    programs: 'clients/*-http',
    measure: measureHttpCaller,
    load: { operations: 10_000, warmUp: 6_000, inFlight: 8 },
  }),
  'result-1mib-http': httpCase({
    title: 'a tool result of 1 MiB over HTTP',
    budget: { atLeast: 1.1, atMost: 1.1 },
    load: { workload: large(), operations: 100, warmUp: 30, connections: 1 },
  }),
  ...largest('result', large, ['--bytes', `${64 * mebibyte}`]),
  ...largest('request', size),
  'cold-start': startCase('servers/*-json-schema-stdio', {
    title: 'start of a stdio server to its first tool result, the tool described in JSON Schema',
    budget: { atLeast: 2, atMost: 1.3 },
    cannot: { 'official-v1': 'takes schemas of Zod only' },
  }),
  'cold-start-zod': startCase('servers/*-stdio', {
    title: 'the same with the tool described in Zod; the floor uses none',
    guests: [{ name: 'floor-zod', title: 'floor that loads Zod' }],
  }),
  ...clusterCases,
  ...hostCases,
  ...telemetryCases,
  import: {
    title: 'import of an entry, above bare Node',
    kind: 'imports',
    budget: { atMostMs: 25 },
    rounds: 10,
  },
  'install-size': {
    title: 'installed packages and bytes',
    kind: 'sizes',
    budget: { packages: 3, bytes: 2 ** 20 },
    rounds: 1,
  },
}

/** 64 MiB in one message, over stdio and over HTTP. */
function largest(name, workloadOf, args = []) {
  const load = { workload: workloadOf(64 * mebibyte), operations: 3, warmUp: 1, args }
  return {
    [`${name}-64mib`]: stdioCase({
      title: `a tool ${name} of 64 MiB over stdio`,
      rounds: 3,
      load: { ...load, inFlight: 1 },
    }),
    [`${name}-64mib-http`]: httpCase({
      title: `a tool ${name} of 64 MiB over HTTP`,
      rounds: 3,
      load: { ...load, connections: 1 },
    }),
  }
}
