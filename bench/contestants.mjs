import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Who is measured, in the order of a round. */
export const contestants = [
  { name: 'parley', title: 'Parley', isOurs: true },
  { name: 'official-v1', title: 'official v1' },
  { name: 'official-v2', title: 'official v2' },
  { name: 'floor', title: 'hand-written floor' },
]

/** The program by which a contestant takes part, its name in place of the star: `servers/*-stdio`, `memory/*`. */
export function programOf({ name }, pattern) {
  return fileURLToPath(new URL(`${pattern.replace('*', name)}.mjs`, import.meta.url))
}

/** Why one of our own entries cannot be measured, if it cannot. */
export function missingBuild(entry = '@parley/mcp/server') {
  return existsSync(fileURLToPath(import.meta.resolve(entry))) ? undefined : 'not built yet'
}
