import { didYouMean } from './did-you-mean.ts'
import { UsageError } from './usage-error.ts'

/** The option `--enable` of a program that has more to offer. */
export function enableFlag(names: readonly string[]) {
  return {
    type: 'string',
    multiple: true,
    value: 'LIST',
    about: `enable more tools: ${names.join(', ')}, or all`,
  } as const
}

/** What `--enable` asks for: names apart by commas, in as many options as wanted, or `all`. */
export function pickExtras<Name extends string>(
  lists: readonly string[] | undefined,
  names: readonly Name[],
): readonly Name[] {
  const wanted = (lists ?? []).flatMap((list) => list.split(',')).map((name) => name.trim())
  if (wanted.includes('all')) return names
  return wanted.map((name) => {
    const found = names.find((candidate) => candidate === name)
    if (found !== undefined) return found
    const meant = didYouMean(name, names)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new UsageError(
      `--enable takes ${names.join(', ')} or all, not ${JSON.stringify(name)}.${hint}`,
    )
  })
}
