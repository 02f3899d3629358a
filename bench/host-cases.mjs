import { changed } from './case-kinds.mjs'
import { measureDefinitions, measureHostCalls, measureHostStart } from './measure/host.mjs'

/** The engine of a host: what it sends, what it costs, and when it begins. */
export const hostCases = {
  'host-definitions': {
    title: 'definitions of the tools of 40 servers in a request to a model',
    kind: 'definitions',
    budget: { atMostPercent: 10 },
    rounds: 1,
    contestants: ['all', 'search'].map((mode) => ({
      name: mode,
      title: mode === 'all' ? 'all 480 defined' : 'found by searching',
      isOurs: true,
      mode,
    })),
    measure: measureDefinitions,
  },
  'host-call': {
    title: 'a turn of the host with one tool call, decision and outcome in the audit log',
    kind: 'host-calls',
    budget: { atMostMicros: 1_000 },
    rounds: 5,
    contestants: [
      { name: 'host', title: 'through the host', isOurs: true },
      { name: 'client', title: 'the call alone', isOurs: true },
    ],
    measure: (contestant, change) =>
      measureHostCalls(contestant, changed({ operations: 1_500, warmUp: 3_000 }, change)),
  },
  'host-start': {
    title: 'start of a process to the first request to the model',
    kind: 'host-starts',
    budget: { atMostMs: 300 },
    rounds: 7,
    contestants: [
      { name: 'ten', title: 'ten servers, lazy', servers: 10, kind: 'in-process' },
      { name: 'none', title: 'no server', servers: 0, kind: 'in-process' },
      { name: 'children', title: 'ten child processes', servers: 10, kind: 'child' },
    ].map((contestant) => ({ ...contestant, isOurs: true })),
    measure: measureHostStart,
  },
}
