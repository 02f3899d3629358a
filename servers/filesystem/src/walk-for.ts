import { compileGlob, walk, type Found } from '@parley/server-kit/files'

import type { FileCall } from './file-tool.ts'

/** What one tool does not want to see of a walk. */
export interface WalkForOptions {
  /** Patterns of what to leave out, with all in it. */
  readonly exclude: readonly string[]
  /** A path from which to go on. */
  readonly from?: string | undefined
  /** Leaves out links that lead outside or nowhere. */
  readonly onlyUsableLinks?: boolean | undefined
}

/** Everything below a path, for one call: it tells its progress and ends when the call does. */
export function walkFor(
  { jail, settings, context }: FileCall,
  path: string,
  { exclude, from, onlyUsableLinks }: WalkForOptions,
): AsyncGenerator<Found> {
  const excluded = exclude.map(compileGlob)
  return walk(jail, path, {
    from,
    onlyUsableLinks,
    gitignore: settings.gitignore,
    signal: context.signal,
    isExcluded: (relative) => excluded.some((matches) => matches(relative)),
    onDirectory: (seen) => context.progress({ progress: seen, message: `${seen} entries` }),
  })
}
