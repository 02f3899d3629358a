/** The reference server and ours are asked the same. */

import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { RpcError } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { clientTasks } from '@parley/mcp/tasks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { otherAnswers, sameAnswers, type Compared } from './comparison-calls.ts'
import { listedBy } from './listed.ts'
import { maskOwnWords } from './mask-own-words.ts'
import { reference } from './reference.ts'
import { answering } from './support.ts'

const official = fileURLToPath(
  new URL(
    'dist/index.js',
    import.meta.resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
)
const ours = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** A server and what it asked in return. */
interface Side {
  readonly client: Client
  readonly asked: unknown[]
}

async function open(program: string): Promise<Side> {
  const asked: unknown[] = []
  const client = await connect(
    { command: execPath, args: [program, 'stdio'] },
    {
      protocolVersion: '2025-11-25',
      roots: answering.roots,
      sample(request) {
        asked.push(request)
        if (JSON.stringify(request).includes('refuse')) throw new RpcError('input_refused', 'No.')
        return answering.sample()
      },
      elicit(request) {
        asked.push(request)
        if (request.mode !== 'url') return answering.elicit()
        if (request.url.endsWith('refuse')) throw new RpcError('invalid_params', 'No.')
        if (request.url.endsWith('decline')) return { action: 'decline' }
        return { action: request.url.endsWith('cancel') ? 'cancel' : 'accept' }
      },
      extensions: [clientTasks()],
    },
  )
  return { client, asked }
}

let sides: readonly Side[] = []
beforeAll(async () => {
  sides = await Promise.all([open(official), open(ours)])
  // It adds some of its tools a moment after the handshake.
  const isComplete = async () => {
    const tools = (await sides[0]?.client.listTools().toArray()) ?? []
    return tools.some(({ name }) => name === 'simulate-research-query')
  }
  await vi.waitUntil(isComplete)
})
afterAll(async () => {
  await Promise.all(sides.map(({ client }) => client.close()))
})

/** What both answer, and what they ask in return. */
async function answersTo(compared: Compared): Promise<readonly unknown[]> {
  return Promise.all(
    sides.map(async ({ client, asked }) => {
      asked.length = 0
      const answer = await compared.ask(client).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error
        const { code, message, data } = error
        return { code, message, data }
      })
      return maskOwnWords({ answer, asked: [...asked] })
    }),
  )
}

test.each(sameAnswers.map((compared) => [compared.title, compared] as const))(
  'the same: %s',
  async (_, compared) => {
    const [expected, actual] = await answersTo(compared)

    expect(actual).toEqual(expected)
  },
)

test.each(otherAnswers)('another: %s', async (_, compared) => {
  const [theirs, own] = await answersTo(compared)

  expect(own).not.toEqual(theirs)
})

test('the reference still lists what was recorded of it', async () => {
  expect(await listedBy(official)).toEqual(reference)
})
