import { sql } from 'kysely'

import type { Writing } from './tables.ts'

/** When changes happen, and in which order. */
export interface Tick {
  /** The number of the first change; the others follow. */
  readonly first: number
  /** Never before the time of an earlier change, also if the clock of the machine was set back. */
  readonly at: string
}

/**
 * Numbers changes in the order in which they are committed: writers wait for each other here until the transaction ends.
 * Who has read up to a number has seen everything below it.
 */
export async function tick(writing: Writing, changes: number, now: number): Promise<Tick> {
  const wanted = new Date(now).toISOString()
  const clock = await writing
    .updateTable('registry_clock')
    .set({
      sequence: sql<number>`sequence + ${changes}`,
      at: sql<string>`case when at < ${wanted} then ${wanted} else at end`,
    })
    .where('id', '=', 1)
    .returning(['sequence', 'at'])
    .executeTakeFirstOrThrow()
  return { first: Number(clock.sequence) - changes + 1, at: clock.at }
}
