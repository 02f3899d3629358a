import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { CommonFlags } from '../flags.ts'
import type { Target } from './target.ts'

/** The folders a server may know of, as it is told them: those of its entry, then those of the command line. */
export function rootsOf(
  { roots }: Pick<Target, 'roots'>,
  { root = [] }: CommonFlags,
  cwd: string,
): readonly string[] {
  return [...roots, ...root].map((each) =>
    each.startsWith('file:') ? each : pathToFileURL(resolve(cwd, each)).href,
  )
}
