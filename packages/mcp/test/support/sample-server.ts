import { jsonSchema } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'

/** A definition with one of everything, and a tool that runs until it is told to stop. */
export interface SampleServer {
  readonly server: Server
  /** Lets `hang` return. */
  release(): void
  /** Reasons of the signals of `hang` that were aborted. */
  readonly aborted: unknown[]
  /** How often `count` ran. */
  readonly calls: { count: number; hang: number }
}

/** What most tests of the base protocol serve. */
export function createSampleServer(): SampleServer {
  const server = createServer({ name: 'sample', version: '1.0.0', onError: () => undefined })
  const aborted: unknown[] = []
  const calls = { count: 0, hang: 0 }
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))

  server.tool('count', {}, () => {
    calls.count += 1
    return String(calls.count)
  })
  server.tool('hang', {}, async (_, context) => {
    calls.hang += 1
    context.signal.addEventListener('abort', () => aborted.push(context.signal.reason))
    await released
    return 'released'
  })
  server.prompt('fail', {}, () => {
    throw new Error('a secret of ours')
  })
  server.resource('note://one', { name: 'one' }, () => 'text')
  server.prompt(
    'greet',
    {
      argumentsSchema: jsonSchema({
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      }),
    },
    ({ name }) => `Hello ${name}`,
  )
  return { server, release: () => release(), aborted, calls }
}
