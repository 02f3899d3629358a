import { parseArgs } from 'node:util'

import type { BridgeOptions, BridgeSource, BridgeTarget } from '../bridge/bridge-options.ts'
import { UsageError } from '../usage-error.ts'
import type { CompatLine } from './compat.ts'
import { commandOf, headerOf, portOf, readFlags } from './words.ts'

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const yes = { type: 'boolean' } as const

/** Reads a command line of supergateway. */
export function readSupergateway(args: readonly string[]): CompatLine {
  const { values } = readFlags('supergateway', () =>
    parseArgs({
      args: args.map(asCamelCase).flatMap(withoutOrigins),
      options: {
        stdio: text,
        sse: text,
        streamableHttp: text,
        outputTransport: text,
        port: text,
        baseUrl: text,
        ssePath: text,
        messagePath: text,
        streamableHttpPath: text,
        stateful: yes,
        sessionTimeout: text,
        header: texts,
        oauth2Bearer: text,
        logLevel: text,
        cors: texts,
        healthEndpoint: texts,
        protocolVersion: text,
      },
      strict: true,
    } as const),
  )
  const from = sourceOf(values.stdio, values.sse, values.streamableHttp, {
    ...Object.fromEntries((values.header ?? []).map(headerOf)),
    ...(values.oauth2Bearer !== undefined && { authorization: `Bearer ${values.oauth2Bearer}` }),
  })
  const to = targetOf(values.outputTransport ?? ('command' in from ? 'sse' : 'stdio'))
  const { logLevel = 'info', sessionTimeout, port = '8000' } = values
  const options: BridgeOptions = {
    from,
    to,
    ...(to !== 'stdio' && { port: portOf(port), path: pathOf(to, values) }),
    ...(sessionTimeout !== undefined && { sessionTimeoutMs: millisecondsOf(sessionTimeout) }),
    ...(values.cors && { origins: originsOf(values.cors) }),
    ...(values.baseUrl !== undefined && { url: values.baseUrl }),
    ...(values.healthEndpoint && { health: values.healthEndpoint[0] }),
  }
  return { options, isQuiet: logLevel === 'none', notes: notesFor(to, values) }
}

/** Its parser takes both ways of writing a flag. */
function asCamelCase(word: string): string {
  const [, name = '', value = ''] = /^--([a-z][a-z-]*)(=.*)?$/s.exec(word) ?? []
  if (name === '') return word
  return `--${name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}${value}`
}

/** `--cors` may stand alone, and then means every origin. */
function withoutOrigins(word: string, at: number, all: readonly string[]): readonly string[] {
  const next = all[at + 1]
  return word === '--cors' && (next === undefined || next.startsWith('--')) ? ['--cors=*'] : [word]
}

function sourceOf(
  stdio: string | undefined,
  sse: string | undefined,
  http: string | undefined,
  headers: { readonly [name: string]: string },
): BridgeSource {
  const given = [stdio, sse, http].filter((each) => each !== undefined)
  if (given.length !== 1) {
    throw new UsageError('--compat supergateway needs one of --stdio, --sse and --streamableHttp')
  }
  if (stdio !== undefined) return { ...commandOf(stdio), inheritEnv: 'all' }
  return sse === undefined
    ? { url: http ?? '', type: 'http', headers }
    : { url: sse, type: 'sse', headers }
}

function targetOf(output: string): BridgeTarget {
  const targets: { readonly [name: string]: BridgeTarget | undefined } = {
    stdio: 'stdio',
    sse: 'sse',
    ws: 'ws',
    streamableHttp: 'http',
  }
  const target = targets[output]
  if (target !== undefined) return target
  throw new UsageError(
    `--outputTransport ${output} is unknown: use stdio, sse, ws or streamableHttp`,
  )
}

interface Paths {
  readonly ssePath?: string | undefined
  readonly messagePath?: string | undefined
  readonly streamableHttpPath?: string | undefined
}

function pathOf(to: BridgeTarget, paths: Paths): string {
  if (to === 'http') return paths.streamableHttpPath ?? '/mcp'
  if (to === 'ws') return paths.messagePath ?? '/message'
  const { ssePath = '/sse', messagePath = '/message' } = paths
  const base = ssePath.replace(/\/sse$/, '')
  if (ssePath.endsWith('/sse') && messagePath === `${base}/message`) return base || '/'
  throw new UsageError(
    `--ssePath ${ssePath} and --messagePath ${messagePath} are not served: the two end in /sse and /message below the same path`,
  )
}

function millisecondsOf(given: string): number {
  const ms = Number(given)
  if (Number.isFinite(ms) && ms > 0) return ms
  throw new UsageError(`--sessionTimeout ${given} is not a number of milliseconds`)
}

function originsOf(cors: readonly string[]): readonly string[] {
  if (!cors.includes('*')) return cors
  throw new UsageError(
    '--cors without origins would let every page call your server: name them, as in --cors https://app.example',
  )
}

function notesFor(
  to: BridgeTarget,
  { healthEndpoint, baseUrl }: { healthEndpoint?: string[]; baseUrl?: string },
): readonly string[] {
  return [
    ...(to === 'stdio'
      ? []
      : ['only this machine can connect; see --host, --url and --allow-anonymous']),
    ...((healthEndpoint?.length ?? 0) > 1 ? ['only the first --healthEndpoint is answered'] : []),
    ...(baseUrl === undefined ? [] : ['--baseUrl is the public address']),
  ]
}
