// How cost grows: each curve varies one thing and keeps the rest.
import { programOf } from './contestants.mjs'
import { measureHttpServer } from './measure/http-server.mjs'
import { measureStdioServer } from './measure/stdio-server.mjs'
import { echo, large, list } from './measure/workloads.mjs'

const kibibyte = 2 ** 10
const mebibyte = 2 ** 20

/**
 * By name, which is also the name of the plot. `cost` is in microseconds of CPU time for one operation, `expects` says how
 * it has to grow with `x`.
 */
export const curves = {
  'message-size': {
    title: 'A tool result over stdio, by its size',
    axis: 'bytes',
    expects: 'linear',
    points: [kibibyte, 16 * kibibyte, 256 * kibibyte, mebibyte, 16 * mebibyte, 64 * mebibyte],
    measure: (contestant, bytes) =>
      measureStdioServer(programOf(contestant, 'servers/*-stdio'), {
        workload: large(bytes),
        ...operationsFor(Math.ceil((16 * mebibyte) / bytes)),
        inFlight: 1,
        args: ['--bytes', `${bytes}`],
      }),
  },
  'tools-call': {
    title: 'tools/call over stdio, by the number of tools',
    axis: 'tools',
    expects: 'flat',
    points: [1, 10, 100, 1_000, 10_000],
    measure: (contestant, tools) =>
      measureStdioServer(programOf(contestant, 'servers/*-stdio'), {
        workload: echo,
        ...operationsFor(10_000),
        inFlight: 64,
        args: ['--tools', `${tools - 1}`],
      }),
  },
  'tools-list': {
    title: 'The whole of tools/list over HTTP, by the number of tools',
    axis: 'tools',
    expects: 'linear',
    points: [10, 100, 1_000, 10_000],
    measure: (contestant, tools) =>
      measureHttpServer(programOf(contestant, 'servers/*-http'), {
        workload: list(tools),
        ...operationsFor(Math.ceil(40_000 / tools)),
        connections: 1,
        args: ['--tools', `${tools - 1}`],
      }),
  },
  sessions: {
    title: 'tools/call over HTTP on 8 connections, by the number of idle sessions',
    axis: 'sessions',
    expects: 'flat',
    points: [1, 10, 100, 1_000, 5_000],
    measure: (contestant, sessions) =>
      measureHttpServer(programOf(contestant, 'servers/*-http'), {
        workload: echo,
        ...operationsFor(5_000),
        connections: 8,
        idleSessions: sessions,
      }),
  },
  concurrency: {
    title: 'tools/call over HTTP in sessions, by the number of connections',
    axis: 'connections',
    expects: 'flat',
    points: [1, 8, 32, 128, 512],
    measure: (contestant, connections) =>
      measureHttpServer(programOf(contestant, 'servers/*-http'), {
        workload: echo,
        ...operationsFor(5_000),
        connections,
      }),
  },
}

function operationsFor(wanted) {
  const operations = Math.min(10_000, Math.max(3, wanted))
  return { operations, warmUp: operations }
}
