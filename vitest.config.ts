import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

import { SlowFirst } from './scripts/slow-first.ts'

// Tests run the sources: nothing has to be built first, except for programs that tests start.
const conditions = ['@parley/source', 'node', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A test that needs more than a few seconds is named *.slow.test.ts; `npm run check` leaves it out.
    include: [
      '{packages,servers}/*/test/**/*.test.ts',
      '{examples,bench,conformance,scripts}/test/**/*.test.ts',
    ],
    setupFiles: ['scripts/property-seed.ts'],
    testTimeout: 20_000,
    // Titles from tables are cut here, and with them the ids at their end, which `-t` then does not find.
    chaiConfig: { truncateThreshold: 400 },
    // Many tests wait: for processes, sockets and browsers. One worker more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
  },
})
