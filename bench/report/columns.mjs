import { count, metric } from './figures.mjs'

const costs = [
  { head: 'CPU µs/op', cell: ({ figures }) => metric(figures.cpuMicros) },
  { head: 'range', cell: ({ figures }) => figures.ranges.cpuMicros.map(metric).join('–') },
  { head: 'p50 µs', cell: ({ figures }) => metric(figures.p50Micros) },
  { head: 'p99 µs', cell: ({ figures }) => metric(figures.p99Micros) },
  { head: 'per second', cell: ({ figures }) => count(figures.perSecond) },
]

/** A bridge shares its core with the load and the server: what it could do with a core of its own stands beside. */
const bridged = [
  ...costs.slice(0, -1),
  { head: 'per CPU second of it', cell: ({ figures }) => count(1e6 / figures.cpuMicros) },
  {
    head: 'per second, all on one core',
    cell: ({ figures }) => count(figures.perSecond),
  },
]

const memory = [
  { head: 'heap KiB', cell: ({ figures }) => metric(figures.heapBytes / 1_024) },
  {
    head: 'range',
    cell: ({ figures }) => figures.ranges.heapBytes.map((bytes) => metric(bytes / 1_024)).join('–'),
  },
  { head: 'resident KiB', cell: ({ figures }) => metric(figures.residentBytes / 1_024) },
]

const starts = [
  { head: 'CPU ms', cell: ({ figures }) => metric(figures.cpuMicros / 1_000) },
  {
    head: 'range',
    cell: ({ figures }) =>
      figures.ranges.cpuMicros.map((micros) => metric(micros / 1_000)).join('–'),
  },
  { head: 'elapsed ms', cell: ({ figures }) => metric(figures.p50Micros / 1_000) },
]

/** The columns of each kind of case, for the terminal and for the page alike. */
export const columns = {
  ratio: costs,
  revisions: costs,
  added: costs,
  shared: [
    ...costs,
    { head: 'of it Redis', cell: ({ figures }) => metric(figures.redisMicros) },
    { head: 'commands/op', cell: ({ figures }) => metric(figures.commands) },
    { head: 'commands/s idle', cell: ({ figures }) => metric(figures.background) },
  ],
  'shared-sessions': memory,
  processes: [
    ...costs,
    {
      head: 'per second of the busiest',
      cell: ({ figures }) => count(figures.perBusySecond),
    },
  ],
  starts,
  bridges: bridged,
  latencies: [
    { head: 'p50 µs', cell: ({ figures }) => metric(figures.p50Micros) },
    { head: 'range', cell: ({ figures }) => figures.ranges.p50Micros.map(metric).join('–') },
    { head: 'p99 µs', cell: ({ figures }) => metric(figures.p99Micros) },
    { head: 'added p50', cell: ({ figures }) => metric(figures.addedP50Micros) },
    { head: 'added p99', cell: ({ figures }) => metric(figures.addedP99Micros) },
  ],
  'bridge-sessions': memory,
  'bridge-starts': starts,
  sessions: memory,
  listeners: [
    ...memory,
    { head: 'CPU µs to open', cell: ({ figures }) => metric(figures.cpuMicros) },
    { head: 'CPU % while idle', cell: ({ figures }) => metric(figures.idlePercent) },
  ],
  definitions: [
    { head: 'definitions', cell: ({ figures }) => count(figures.tools) },
    { head: 'tokens (estimated)', cell: ({ figures }) => count(figures.tokens) },
    { head: '% of 128,000', cell: ({ figures }) => metric(figures.percent) },
  ],
  'host-calls': costs,
  'host-starts': [
    { head: 'elapsed ms', cell: ({ figures }) => metric(figures.elapsedMs) },
    { head: 'range', cell: ({ figures }) => figures.ranges.elapsedMs.map(metric).join('–') },
    { head: 'CPU ms', cell: ({ figures }) => metric(figures.cpuMs) },
  ],
  imports: [
    { head: 'CPU ms above bare', cell: ({ aboveBareMs }) => metric(aboveBareMs) },
    { head: 'elapsed ms', cell: ({ figures }) => metric(figures.p50Micros / 1_000) },
  ],
  sizes: [
    { head: 'packages', cell: ({ packages }) => count(packages) },
    { head: 'bytes', cell: ({ bytes }) => count(bytes) },
  ],
}

/** The value that a bar stands for. */
export const barValue = {
  ratio: ({ figures }) => figures.cpuMicros,
  starts: ({ figures }) => figures.cpuMicros,
  revisions: ({ figures }) => figures.cpuMicros,
  added: ({ figures }) => figures.cpuMicros,
  shared: ({ figures }) => figures.cpuMicros,
  'shared-sessions': ({ figures }) => figures.heapBytes,
  processes: ({ figures }) => figures.perBusySecond,
  bridges: ({ figures }) => figures.cpuMicros,
  latencies: ({ figures }) => figures.p50Micros,
  'bridge-sessions': ({ figures }) => figures.heapBytes,
  'bridge-starts': ({ figures }) => figures.p50Micros,
  sessions: ({ figures }) => figures.heapBytes,
  listeners: ({ figures }) => figures.heapBytes,
  definitions: ({ figures }) => figures.tokens,
  'host-calls': ({ figures }) => figures.cpuMicros,
  'host-starts': ({ figures }) => figures.elapsedMs,
  imports: ({ aboveBareMs }) => Math.max(0, aboveBareMs),
  sizes: ({ bytes }) => bytes,
}
