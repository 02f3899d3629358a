import { setImmediate as turn } from 'node:timers/promises'

import type { RegistryDatabase } from './tables.ts'

/**
 * Between the steps of long work: SQLite answers at once, so that without a turn of the event loop nobody else would be
 * answered until all of it is done, and its library would free nothing.
 */
export async function letOthersIn({ flavour }: RegistryDatabase): Promise<void> {
  if (flavour.kind === 'sqlite') await turn()
}
