import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts what takes long first: a browser test begun last would leave the other workers with nothing to do. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this one is not of an array
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  }
}

/** Of the fast ones, those that start processes and stores; what takes a second or more is there. */
const withProcesses =
  /\/(servers|bench|examples)\/|\/(cluster|gateway|registry|server-kit)\/test\/|\/test\/(interop|transport|commands)\//

/**
 * Rough, by where a file is: most for those that open browsers, less for those that start processes, least for most.
 * Files of one project stay together: a process is shared only with the next in the queue.
 */
function lengthOf({ moduleId, project }: TestSpecification): number {
  if (project.name === 'slow') return moduleId.includes('/inspector/test/e2e/') ? 4 : 3
  if (project.name === 'counting') return 2
  return withProcesses.test(moduleId) ? 1 : 0
}
