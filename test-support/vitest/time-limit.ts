import { env } from 'node:process'

import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'

/**
 * Ends a run after `PARLEY_TEST_SECONDS`, and says how many files were left: `npm run check` looks at what it can within its
 * minute. The run fails only if a test did.
 */
export class TimeLimit implements Reporter {
  #vitest: Vitest | undefined
  #files = 0
  #isOver = false

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const seconds = Number(env['PARLEY_TEST_SECONDS'] ?? 0)
    this.#files = specifications.length
    if (seconds <= 0) return
    const end = (): void => {
      this.#isOver = true
      void this.#vitest?.cancelCurrentRun('keyboard-input')
    }
    setTimeout(end, seconds * 1000).unref()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#isOver) return
    const done = modules.filter((module) => ['passed', 'failed'].includes(module.state())).length
    console.log(
      `\nThe time of this run is over: ${this.#files - done} of ${this.#files} test files are left to npm test.`,
    )
    if (modules.every((module) => module.state() !== 'failed')) process.exitCode = 0
  }
}
