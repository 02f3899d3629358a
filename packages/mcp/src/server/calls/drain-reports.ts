import type { DrainReport } from './calls-in-flight.ts'

/** What became of the calls of several that were drained together. */
export async function drainAll(
  draining: readonly (Promise<DrainReport> | undefined)[],
): Promise<DrainReport> {
  let [finished, aborted] = [0, 0]
  for (const report of await Promise.all(draining.filter((each) => each !== undefined))) {
    finished += report.finished
    aborted += report.aborted
  }
  return { finished, aborted }
}
