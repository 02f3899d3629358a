import { fileURLToPath } from 'node:url'

import { connect, type UrlEntry } from '@parley/mcp/client'
import { runServer, type ProgramSurroundings } from '@parley/server-kit/program'
import { expect, test } from 'vitest'

import {
  complaintOf,
  describeReachable,
  type ReachableProgram,
} from '../../../test-support/reachable-program.ts'
import { everythingProgram } from '../src/program.ts'
import { referenceTools } from './reference.ts'

const run: ReachableProgram['run'] = (surroundings) => runServer(everythingProgram, surroundings)

/** The same for every client, whatever it can be asked and whether it follows tasks. */
const harmless = referenceTools
  .filter(({ name, annotations }) => annotations.readOnlyHint && name !== 'get-roots-list')
  .map(({ name }) => name)

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run,
  args: ['--read-only', '--allow-env'],
  tools: harmless,
  call: ['get-sum', { a: 20, b: 22 }],
  answer: 'The sum of 20 and 22 is 42.',
})

/** Serves on a free port, and says where. */
async function serve(args: readonly string[], environment?: ProgramSurroundings['environment']) {
  const lines: string[] = []
  const service = await run({
    args: [...args, '--port', '0'],
    environment,
    log: (line) => lines.push(line),
    ownsProcess: false,
  })
  return {
    url: /\b(?:http|ws):\S+/.exec(lines.join('\n'))?.[0] ?? '',
    async [Symbol.asyncDispose]() {
      await service?.drain({ deadlineMs: 0 })
    },
  }
}

async function namesAt(entry: UrlEntry): Promise<readonly string[]> {
  await using client = await connect(entry)
  return (await client.listTools().toArray()).map(({ name }) => name)
}

test.each([
  ['sse', /^http:\/\/127\.0\.0\.1:\d+\/sse$/],
  ['streamableHttp', /^http:\/\/127\.0\.0\.1:\d+\/mcp$/],
])('%s is told as the reference server is told', async (channel, address) => {
  await using service = await serve([channel])

  expect(service.url).toMatch(address)
  await using client = await connect({
    type: channel === 'sse' ? 'sse' : 'http',
    url: service.url,
  })
  const { content } = await client.callTool('echo', { message: 'hello' })
  expect(content).toEqual([{ type: 'text', text: 'Echo: hello' }])
})

test.each(['http', 'sse', 'ws'] as const)(
  'over %s the environment is shown only with --allow-env',
  async (type) => {
    await using closed = await serve(['--transport', type])
    await using open = await serve(['--transport', type, '--allow-env'])

    expect(await namesAt({ type, url: closed.url })).not.toContain('get-env')
    expect(await namesAt({ type, url: open.url })).toContain('get-env')
  },
)

test('--read-only leaves what only looks', async () => {
  await using service = await serve(['streamableHttp', '--read-only'])

  const names = await namesAt({ url: service.url })

  expect(names).toContain('echo')
  expect(names).not.toContain('gzip-file-as-resource')
  expect(names).not.toContain('toggle-simulated-logging')
})

test('--auth-token keeps out who does not have it', async () => {
  await using service = await serve(['streamableHttp'], { EVERYTHING_AUTH_TOKEN: 'sesame' })
  const headers = { authorization: 'Bearer sesame' }

  await expect(namesAt({ url: service.url })).rejects.toThrow()
  expect(await namesAt({ url: service.url, headers })).toContain('echo')
})

test.each([
  [['http'], 'Unknown: http.'],
  [['stdio', 'twice'], 'Unknown: stdio twice.'],
  [['--page-size', '0'], '--page-size'],
  [['--slow-start', 'soon'], '--slow-start'],
  [['--unknown'], '--unknown'],
  [['stdio', '--auth'], '--auth needs'],
  [['sse', '--transport', 'ws'], 'Both sse and ws are given'],
  [
    ['streamableHttp', '--auth', '--auth-token', 'x', '--port', '39999'],
    'leave one of the two options out',
  ],
])('says what is wrong with %j', async (args, why) => {
  expect(await complaintOf(run, args)).toContain(why)
})
