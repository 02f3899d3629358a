import type { BridgeOptions } from '../bridge/bridge-options.ts'
import { UsageError } from '../usage-error.ts'
import type { CompatLine } from './compat.ts'
import { portOf } from './words.ts'

/** Flags of mcp-proxy, and how many words each takes. */
const arity: { readonly [flag: string]: number | undefined } = {
  '--headers': 2,
  '-H': 2,
  '--transport': 1,
  '--port': 1,
  '--host': 1,
  '--sse-port': 1,
  '--sse-host': 1,
  '--allow-origin': 1,
  '--env': 2,
  '-e': 2,
  '--cwd': 1,
  '--pass-environment': 0,
  '--no-pass-environment': 0,
  '--debug': 0,
  '--no-debug': 0,
  '--log-level': 1,
  '--stateless': 0,
  '--no-stateless': 0,
  '--client-id': 1,
  '--client-secret': 1,
}

/** Its flags stand before the command or address; all behind that belongs to the command. */
export function readMcpProxy(
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
): CompatLine {
  const { flags, rest } = splitFlags(args)
  const [subject, ...more] = rest[0] === '--' ? rest.slice(1) : rest
  if (subject === undefined) {
    throw new UsageError('--compat mcp-proxy needs a command or an address of a server')
  }
  const isQuiet = lastOf(flags, '--log-level')?.toUpperCase() === 'ERROR'
  const origins = all(flags, '--allow-origin').map(([origin = '']) => origin)
  if (origins.includes('*')) {
    throw new UsageError(
      '--allow-origin "*" would let every page call your server: name the origins',
    )
  }
  if (!/^https?:/i.test(subject)) {
    const options: BridgeOptions = {
      from: {
        command: subject,
        args: more,
        env: Object.fromEntries(
          [...all(flags, '--env'), ...all(flags, '-e')].map(([name = '', value = '']) => [
            name,
            value,
          ]),
        ),
        cwd: lastOf(flags, '--cwd'),
        inheritEnv: flags.some(({ name }) => name === '--pass-environment') ? 'all' : 'minimal',
      },
      to: 'http',
      port: portOf(lastOf(flags, '--port') ?? lastOf(flags, '--sse-port') ?? '0'),
      host: lastOf(flags, '--host') ?? lastOf(flags, '--sse-host'),
      alsoSse: true,
      ...(origins.length > 0 && { origins }),
    }
    return { options, isQuiet, notes: ['SSE is served at /mcp/sse'] }
  }
  const token = env['API_ACCESS_TOKEN']
  const headers = Object.fromEntries(
    [...all(flags, '--headers'), ...all(flags, '-H')].map(([name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const clientId = lastOf(flags, '--client-id')
  return {
    options: {
      from: {
        url: subject,
        type: lastOf(flags, '--transport') === 'streamablehttp' ? 'http' : undefined,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      },
      to: 'stdio',
    },
    ...(clientId !== undefined && {
      signIn: { clientId, clientSecret: lastOf(flags, '--client-secret') },
    }),
    isQuiet,
    notes: [],
  }
}

interface Flag {
  readonly name: string
  readonly values: readonly string[]
}

function splitFlags(args: readonly string[]): {
  readonly flags: readonly Flag[]
  readonly rest: readonly string[]
} {
  const flags: Flag[] = []
  let at = 0
  while (at < args.length) {
    const word = args[at] ?? ''
    if (word === '--' || !word.startsWith('-')) break
    const [name = word, inline] = word.split(/=(.*)/s)
    const count = arity[name]
    if (count === undefined) throw unknown(name)
    const values = inline === undefined ? args.slice(at + 1, at + 1 + count) : [inline]
    if (values.length < count) throw new UsageError(`--compat mcp-proxy: ${name} needs a value`)
    flags.push({ name, values })
    at += 1 + (inline === undefined ? count : 0)
  }
  return { flags, rest: args.slice(at) }
}

function unknown(name: string): UsageError {
  return name.startsWith('--named-server')
    ? new UsageError(`${name}: a bridge has one server; start one for each`)
    : new UsageError(`--compat mcp-proxy: the flag ${name} is unknown`)
}

function all(flags: readonly Flag[], name: string): readonly (readonly string[])[] {
  return flags.filter((flag) => flag.name === name).map(({ values }) => values)
}

function lastOf(flags: readonly Flag[], name: string): string | undefined {
  return all(flags, name).at(-1)?.[0]
}
