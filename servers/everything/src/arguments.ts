import { parseArgs } from 'node:util'

import type { EverythingOptions } from './everything.ts'

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'serve'; readonly options: EverythingOptions; readonly slowStartMs: number }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly why: string }

/** Shown with `--help`, and to whoever asked for what there is not. */
export const usage = `Usage: parley-server-everything [stdio] [options]

  stdio              serve the process that started this one (the only way in this version)

  --extras           more tools: schema constructs, deliberate errors, large output
  --numbered N       N more resources, to test long lists
  --page-size N      items on one page of a list (default 1000)
  --slow-start MS    wait before serving, to test timeouts
  --help             show this
`

/** Reads the arguments behind the program's name. */
export function readArguments(args: readonly string[]): Command {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        extras: { type: 'boolean', default: false },
        numbered: { type: 'string', default: '0' },
        'page-size': { type: 'string', default: '1000' },
        'slow-start': { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const [channel = 'stdio', ...more] = positionals
    if (channel !== 'stdio' || more.length > 0) {
      return {
        kind: 'refused',
        why: `Unknown: ${positionals.join(' ')}. This version serves stdio.`,
      }
    }
    return {
      kind: 'serve',
      options: {
        extras: values.extras,
        numberedResources: count('numbered', values.numbered, 0),
        pageSize: count('page-size', values['page-size'], 1),
      },
      slowStartMs: count('slow-start', values['slow-start'], 0),
    }
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error ? error.message : String(error) }
  }
}

function count(option: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new Error(`--${option} takes a whole number from ${least} on, not ${JSON.stringify(text)}`)
}
