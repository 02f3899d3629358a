import { count, figure } from './figures.mjs'

/** The columns of each kind of case, for the terminal and for the page alike. */
export const columns = {
  ratio: [
    { head: 'CPU µs/op', cell: ({ figures }) => figure(figures.cpuMicros) },
    { head: 'range', cell: ({ figures }) => figures.ranges.cpuMicros.map(figure).join('–') },
    { head: 'p50 µs', cell: ({ figures }) => figure(figures.p50Micros) },
    { head: 'p99 µs', cell: ({ figures }) => figure(figures.p99Micros) },
    { head: 'per second', cell: ({ figures }) => count(figures.perSecond) },
  ],
  starts: [
    { head: 'CPU ms', cell: ({ figures }) => figure(figures.cpuMicros / 1_000) },
    {
      head: 'range',
      cell: ({ figures }) =>
        figures.ranges.cpuMicros.map((micros) => figure(micros / 1_000)).join('–'),
    },
    { head: 'elapsed ms', cell: ({ figures }) => figure(figures.p50Micros / 1_000) },
  ],
  sessions: [
    { head: 'heap KiB', cell: ({ figures }) => figure(figures.heapBytes / 1_024) },
    {
      head: 'range',
      cell: ({ figures }) =>
        figures.ranges.heapBytes.map((bytes) => figure(bytes / 1_024)).join('–'),
    },
    { head: 'resident KiB', cell: ({ figures }) => figure(figures.residentBytes / 1_024) },
  ],
  imports: [
    { head: 'CPU ms above bare', cell: ({ aboveBareMs }) => figure(aboveBareMs) },
    { head: 'elapsed ms', cell: ({ figures }) => figure(figures.p50Micros / 1_000) },
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
  sessions: ({ figures }) => figures.heapBytes,
  imports: ({ aboveBareMs }) => Math.max(0, aboveBareMs),
  sizes: ({ bytes }) => bytes,
}
