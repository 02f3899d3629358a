// What sharing sessions and streams between processes costs.
import { changed } from './case-kinds.mjs'
import { programOf } from './contestants.mjs'
import { measureProcesses, measureShared, measureSharedMemory } from './measure/cluster.mjs'
import { echo, streamOf } from './measure/workloads.mjs'

export const clusterCases = {
  'cluster-call': sharedCase({
    title: 'tools/call in sessions over HTTP with a cluster on Redis, 32 connections',
    budget: { atMost: 1.15, commandsAtMost: 0.001 },
    load: { workload: echo, operations: 15_000, warmUp: 10_000, connections: 32 },
  }),
  'cluster-stream': sharedCase({
    title: 'a tool that reports progress 5 times over HTTP with a cluster on Redis, 8 connections',
    budget: { atMost: 2.5 },
    load: {
      workload: streamOf(5),
      operations: 3_000,
      warmUp: 2_000,
      connections: 8,
      args: ['--reports', '5'],
    },
  }),
  'cluster-session-memory': {
    ...sharedCase({
      title: 'memory of an idle session with a cluster on Redis',
      budget: { atMost: 1.1 },
      rounds: 3,
      measure: measureSharedMemory,
      load: { operations: 5_000, warmUp: 1_000, connections: 8 },
    }),
    kind: 'shared-sessions',
  },
  'cluster-processes': {
    title: 'tools/call over HTTP from two processes on one port, 32 connections',
    kind: 'processes',
    budget: { atLeast: 1.7 },
    rounds: 5,
    contestants: [1, 2].map((processes) => ({
      name: `processes-${processes}`,
      title: processes === 1 ? 'one process' : 'two processes',
      isOurs: true,
      processes,
    })),
    measure: ({ processes }, change) =>
      measureProcesses(programOf({ name: 'parley' }, 'servers/*-processes'), {
        ...changed({ workload: echo, operations: 30_000, warmUp: 20_000, connections: 32 }, change),
        processes,
      }),
  },
}

/** One of our servers alone, and the same with a Redis. */
function sharedCase({ title, budget, rounds = 5, measure = measureShared, load }) {
  return {
    title,
    kind: 'shared',
    budget,
    rounds,
    contestants: [
      { name: 'alone', title: 'without a cluster', isOurs: true },
      { name: 'shared', title: 'with a cluster', isOurs: true, isShared: true },
    ],
    measure: ({ isShared = false }, change) =>
      measure(programOf({ name: 'parley' }, 'servers/*-http'), {
        ...changed(load, change),
        isShared,
      }),
  }
}
