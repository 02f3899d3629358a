import { didYouMean } from '@parley/foundation/command-line'

import { flat } from './output/printer.ts'

/** What to say to somebody who named something that is not there; names are a server's. */
export function hintFor(name: string, names: readonly string[]): string | undefined {
  const meant = didYouMean(name, names)
  if (meant !== undefined) return `Did you mean ${flat(meant)}?`
  const shown = names.slice(0, 20).map((each) => flat(each, 80))
  return shown.length === 0 ? undefined : `Known: ${shown.join(', ')}.`
}
