import { commonFlags, type Flags } from './flags.ts'

/** What `--help` is made of. */
export interface UsageParts {
  /** The command. */
  readonly command: string
  /** One sentence: what it is for. */
  readonly summary: string
  readonly flags: Flags
  readonly positionals?: { readonly name: string; readonly about: string } | undefined
}

/** What `--help` prints: the program's own options first. */
export function describeUsage({ command, summary, flags, positionals }: UsageParts): string {
  const own = [
    ...(positionals ? [[positionals.name, positionals.about] as const] : []),
    ...Object.entries(flags).map(row),
  ]
  const common = Object.entries(commonFlags as Flags).map(row)
  const width = Math.max(...[...own, ...common].map(([left]) => left.length)) + 2
  function lines(rows: readonly (readonly [string, string])[]): string {
    return rows.map(([left, about]) => `  ${left.padEnd(width)}${about}`).join('\n')
  }
  const head = [`Usage: ${command} [options]`, positionals?.name].filter(Boolean).join(' ')
  return [head, summary, ...(own.length > 0 ? [lines(own)] : []), lines(common)].join('\n\n')
}

function row([name, flag]: readonly [string, Flags[string]]): readonly [string, string] {
  const value = flag.value ?? (flag.type === 'string' ? 'VALUE' : undefined)
  const short = flag.short === undefined ? '' : `-${flag.short}, `
  return [`${short}--${name}${value === undefined ? '' : ` ${value}`}`, flag.about]
}
