/** In `packages/telemetry`. They break no requirement of the catalogue by themselves: any test of the file may notice them. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const telemetryFaults = [
  {
    id: 'telemetry-01',
    file: 'packages/telemetry/src/outcome.ts',
    find: 'withoutCredentials(message, maxMessageLength) : undefined',
    put: 'message : undefined',
    test: 'packages/telemetry/test/errors.test.ts',
    title: '',
  },
  {
    id: 'telemetry-02',
    file: 'packages/telemetry/src/outcome.ts',
    find: 'if (isError !== true) return noFailure',
    put: 'if (isError !== false) return noFailure',
    test: 'packages/telemetry/test/telemetry.test.ts',
    title: '',
  },
  {
    id: 'telemetry-03',
    file: 'packages/telemetry/src/outcome.ts',
    find: 'return Number.isInteger(code) && (isJsonRpc || isHttp)',
    put: 'return Number.isInteger(code)',
    test: 'packages/telemetry/test/errors.test.ts',
    title: '',
  },
  {
    id: 'telemetry-04',
    file: 'packages/telemetry/src/outcome.ts',
    find: "isTimeout(outcome.reason) ? 'timeout' : 'cancelled'",
    put: "'cancelled'",
    test: 'packages/telemetry/test/errors.test.ts',
    title: '',
  },
  {
    id: 'telemetry-05',
    file: 'packages/telemetry/src/totals.ts',
    find: "side === 'server' ? [received, sent] : [sent, received]",
    put: '[received, sent]',
    test: 'packages/telemetry/test/facts.test.ts',
    title: '',
  },
  {
    id: 'telemetry-06',
    file: 'packages/telemetry/src/totals.ts',
    find: 'total.waitedMs += waitedMs',
    put: 'total.waitedMs = waitedMs',
    test: 'packages/telemetry/test/errors.test.ts',
    title: '',
  },
]
