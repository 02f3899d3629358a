import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts what takes long first: a browser test begun last would leave the other workers with nothing to do. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this one is not of an array
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  }
}

/** Rough, by where a file is: 0 for most, more for those that start processes, and most for those that open browsers. */
function lengthOf({ moduleId }: TestSpecification): number {
  if (!moduleId.endsWith('.slow.test.ts')) return 0
  return moduleId.includes('/inspector/test/e2e/') ? 2 : 1
}
