import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Says once more at the very end what failed, a line each: a log that is cut at its beginning still tells it. */
export class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const lines = [
      ...modules.flatMap((module) => linesOf(module)),
      ...unhandled.map((error) => `unhandled, in no test: ${firstLine(error)}`),
    ]
    if (lines.length === 0) return
    console.log(`\nWhat failed (${lines.length}):`)
    for (const line of lines) console.log(`  ${line}`)
  }
}

function linesOf(module: TestModule): string[] {
  const file = module.relativeModuleId
  const suites = [module, ...module.children.allSuites()]
  const tests = [...module.children.allTests('failed')]
  return [
    ...suites.flatMap((suite) => suite.errors().map((error) => `${file}: ${firstLine(error)}`)),
    ...tests.map((test) => {
      const [error] = test.result().errors ?? []
      return `${file}: ${test.fullName}: ${error ? firstLine(error) : 'no error told'}`
    }),
  ]
}

function firstLine({ message }: SerializedError | { message: string }): string {
  const [line = ''] = message.split('\n', 1)
  return line.slice(0, 300)
}
