import { env } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

import { UsageError, type ProgramOptions, type ProgramTransport } from '@parley/server-kit/program'

import { createEverythingServer } from './everything.ts'

const options = {
  extras: {
    type: 'boolean',
    about: 'more tools: schemas, errors, large output, rounds, tasks; a skill, an extension',
  },
  numbered: { type: 'string', value: 'N', about: 'N more resources, to test long lists' },
  'page-size': { type: 'string', value: 'N', about: 'items on one page of a list (default 1000)' },
  'slow-start': { type: 'string', value: 'MS', about: 'wait before serving, to test timeouts' },
  'allow-env': { type: 'boolean', about: 'show the environment to callers over the network, too' },
  auth: { type: 'boolean', about: 'callers sign in; the name and password to do so are printed' },
} as const

/** The words of the reference server for its transports. */
const channels: Readonly<Record<string, ProgramTransport>> = {
  stdio: 'stdio',
  sse: 'sse',
  streamableHttp: 'http',
}

/** The everything server as a program. */
export const everythingProgram: ProgramOptions<typeof options> = {
  name: 'everything',
  version: '2.0.0',
  summary:
    'Every feature of the protocol once, to test clients with. PORT in the environment is --port.',
  positionals: {
    name: '[stdio | sse | streamableHttp]',
    about: 'what --transport says, as the reference server is told (default stdio)',
  },
  options,
  port: Number(env['PORT'] ?? 3_001),
  transportOf,
  async create({ values, transport }) {
    const slowStartMs = count('--slow-start', values['slow-start'], 0)
    if (values.auth && transport === 'stdio') {
      throw new UsageError('--auth needs sse or streamableHttp: stdio has no sign-in.')
    }
    const server = createEverythingServer({
      extras: values.extras,
      numberedResources: count('--numbered', values.numbered, 0),
      pageSize: count('--page-size', values['page-size'], 1),
      allowEnvironment: values['allow-env'],
    })
    if (slowStartMs !== undefined) await wait(slowStartMs)
    return server
  },
  async guard({ values, log }, url) {
    if (!values.auth) return undefined
    if (url.port === '0') {
      throw new UsageError('--auth needs a port: tokens are for an address known beforehand.')
    }
    const { requireSignIn } = await import('./demo-sign-in.ts') // the rest starts sooner without
    return requireSignIn(url, log)
  },
}

function transportOf([name, ...more]: readonly string[]): ProgramTransport | undefined {
  if (name === undefined) return undefined
  if (more.length === 0 && Object.hasOwn(channels, name)) return channels[name]
  throw new UsageError(`Unknown: ${[name, ...more].join(' ')}.`)
}

function count(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new UsageError(
    `${option} takes a whole number from ${least} on, not ${JSON.stringify(text)}.`,
  )
}
