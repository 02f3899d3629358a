import type { Reporter, TestCase } from 'vitest/node'

/** Lists at the end which tests passed only when they were run again: each hides a race, in a test or in what it tests. */
export class RetriedTests implements Reporter {
  readonly #titles: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { retryCount = 0 } = test.diagnostic() ?? {}
    if (retryCount === 0 || test.result().state !== 'passed') return
    this.#titles.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(): void {
    if (this.#titles.length === 0) return
    const count = this.#titles.length
    console.log(`\n${count} ${count === 1 ? 'test' : 'tests'} passed only when run again:`)
    for (const title of this.#titles) console.log(`  ${title}`)
  }
}
