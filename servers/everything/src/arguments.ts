import { parseArgs } from 'node:util'

import type { EverythingOptions } from './everything.ts'

/** How it can be reached. */
export type Channel = (typeof channels)[number]
const channels = ['stdio', 'sse', 'streamableHttp'] as const

/** What the command line asks for. */
export type Command =
  | {
      readonly kind: 'serve'
      readonly channel: Channel
      readonly options: EverythingOptions
      readonly slowStartMs: number
      /** Whether callers have to sign in, at an authorization server for demonstration. */
      readonly auth: boolean
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly why: string }

/** Shown with `--help`, and to whoever asked for what there is not. */
export const usage = `Usage: parley-server-everything [stdio | sse | streamableHttp] [options]

  stdio              serve the process that started this one (default)
  streamableHttp     serve http://127.0.0.1:PORT/mcp; PORT is 3001 unless the environment says otherwise
  sse                serve the old HTTP+SSE at http://127.0.0.1:PORT/sse and /message

  --auth             callers sign in; the name and password to do so are printed (not with stdio)
  --extras           more tools: schemas, errors, large output, rounds, tasks, headers; a skill, an extension
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
        auth: { type: 'boolean', default: false },
        extras: { type: 'boolean', default: false },
        numbered: { type: 'string', default: '0' },
        'page-size': { type: 'string', default: '1000' },
        'slow-start': { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'help' }
    const [name = 'stdio', ...more] = positionals
    const channel = channels.find((one) => one === name)
    if (channel === undefined || more.length > 0) {
      return { kind: 'refused', why: `Unknown: ${positionals.join(' ')}.` }
    }
    if (values.auth && channel === 'stdio') {
      return {
        kind: 'refused',
        why: '--auth needs sse or streamableHttp: nobody signs in over stdio.',
      }
    }
    return {
      kind: 'serve',
      channel,
      options: {
        extras: values.extras,
        numberedResources: count('numbered', values.numbered, 0),
        pageSize: count('page-size', values['page-size'], 1),
      },
      slowStartMs: count('slow-start', values['slow-start'], 0),
      auth: values.auth,
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
