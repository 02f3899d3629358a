import { availableParallelism } from 'node:os'
import { env } from 'node:process'

import { configDefaults, defineConfig } from 'vitest/config'

import { CostReporter } from './test-support/vitest/cost-reporter.ts'
import { FailedTests } from './test-support/vitest/failed-tests.ts'
import { MissingPrograms } from './test-support/vitest/missing-programs.ts'
import { moduleCachePath } from './test-support/vitest/module-cache.ts'
import { RetriedTests } from './test-support/vitest/retried-tests.ts'
import { SlowFirst } from './test-support/vitest/slow-first.ts'
import { TimeLimit } from './test-support/vitest/time-limit.ts'

// Tests run the sources: nothing has to be built first, except for programs that tests start.
const conditions = ['@parley/source', 'node', 'default']

const slowTests = ['**/*.slow.test.ts']

const inThreads = ['packages/{mcp,auth,host,tools,telemetry,page,react}/test/**/*.test.ts']

/** These count what their process does: timers, promises, memory, work. What another file left behind would count too. */
const countingTests = [
  'packages/mcp/test/work/**/*.test.ts',
  'packages/mcp/test/server/module-level.test.ts',
]

export default defineConfig(({ mode }) => {
  // `npm run test:all`: workers and reporters read it from here.
  if (mode === 'thorough') env['PARLEY_THOROUGH'] = '1'
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      // Transforming sources is a quarter of a run without it. `--clearCache` forgets it.
      experimental: { fsModuleCache: true, fsModuleCachePath: moduleCachePath() },
      globalSetup: [
        'test-support/vitest/temporary-folder.ts',
        'test-support/vitest/shared-servers.ts',
      ],
      setupFiles: [
        'test-support/vitest/measure-cost.ts',
        'test-support/vitest/property-seed.ts',
        'test-support/vitest/patient-waiting.ts',
        'test-support/vitest/unknown-servers.ts',
      ],
      // A library that draws terminals draws nothing where this is set, in every test of its process.
      env: { CI: 'false', CONTINUOUS_INTEGRATION: 'false' },
      // Only for tests that hang: a machine that does other work too may need long for anything. At night many wait for each other.
      testTimeout: mode === 'thorough' ? 600_000 : 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 45_000 } },
      // Titles from tables are cut here, and with them the ids at their end, which `-t` then does not find.
      chaiConfig: { truncateThreshold: 400 },
      // Many tests wait: for processes, sockets and browsers. Two workers more than there are cores keep these busy; more of them only wait for each other.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: SlowFirst },
      reporters: [
        'default',
        new CostReporter(),
        new MissingPrograms(),
        new RetriedTests(),
        new FailedTests(),
        new TimeLimit(),
      ],
      projects: [
        {
          extends: true,
          test: {
            // Packages whose tests rarely start processes: a thread starts and loads sooner than a process.
            name: 'threads',
            include: inThreads,
            exclude: [...configDefaults.exclude, ...slowTests, ...countingTests],
            isolate: false,
            pool: 'threads',
          },
        },
        {
          extends: true,
          test: {
            name: 'fast',
            include: [
              '{packages,servers}/*/test/**/*.test.ts',
              '{examples,bench,conformance,scripts,test-support}/test/**/*.test.ts',
            ],
            exclude: [...configDefaults.exclude, ...slowTests, ...countingTests, ...inThreads],
            // One file after another in the same process: loading the sources for each again took half of the time.
            // What a test changes in its process, it changes back.
            isolate: false,
          },
        },
        {
          extends: true,
          test: {
            // Those that need more than a few seconds. `npm run check` leaves them out, and those that count.
            name: 'slow',
            include: [
              '{packages,servers}/*/test/**/*.slow.test.ts',
              '{examples,bench,conformance,scripts}/test/**/*.slow.test.ts',
            ],
            isolate: false,
          },
        },
        { extends: true, test: { name: 'counting', include: countingTests } },
      ],
    },
  }
})
