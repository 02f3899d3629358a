/** The tools that ask a client for a task, and the official client, which takes it on. */

import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type ClientCapabilities,
  type Result,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult } from '@parley/mcp'
import { serveHttp } from '@parley/mcp/node'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

import { createEverythingServer } from '../src/everything.ts'
import { answering, textsOf } from './support.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

beforeAll(() => {
  vi.stubGlobal('WebSocket', WebSocket) // which the official client expects of a browser
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** How the client ends its tasks. */
type Ending = 'completed' | 'failed' | 'cancelled'

const capabilities: ClientCapabilities = {
  sampling: {},
  elicitation: {},
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
}

interface TaskExtra {
  readonly taskRequestedTtl?: number | null
  readonly taskStore?: {
    createTask(options: object): Promise<{ readonly taskId: string }>
    storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result): Promise<void>
    updateTaskStatus(taskId: string, status: Ending, message?: string): Promise<void>
  }
}

async function open(route: string, ending: Ending = 'completed', offered = capabilities) {
  const client = new Client(
    { name: 'official-v1', version: '1.0.0' },
    { capabilities: offered, taskStore: new InMemoryTaskStore() },
  )
  /** Says at once that there will be an answer, and has it a moment later. */
  async function takeOn(answer: Result, { taskStore, taskRequestedTtl }: TaskExtra) {
    if (taskStore === undefined) throw new Error('nobody asked for a task')
    const task = await taskStore.createTask({ ttl: taskRequestedTtl, pollInterval: 60 })
    setTimeout(() => {
      if (ending === 'completed') void taskStore.storeTaskResult(task.taskId, ending, answer)
      else void taskStore.updateTaskStatus(task.taskId, ending, 'as the test wants it')
    }, 90)
    return { task }
  }
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, extra) =>
    params.task ? takeOn(answering.sample(), extra as TaskExtra) : answering.sample(),
  )
  if (offered.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, extra) =>
      params.task ? takeOn(filledIn, extra as TaskExtra) : filledIn,
    )
  }
  opened.push(() => client.close())
  await client.connect(await reach(route))
  return client
}

const filledIn = { action: 'accept' as const, content: { name: 'Ada', favoriteColor: 'Green' } }

/** The server, served in a way. */
async function reach(route: string): Promise<Transport> {
  if (route === 'stdio') return new StdioClientTransport({ command: execPath, args: [main] })
  const service = await serveHttp(createEverythingServer(), {
    port: 0,
    ownsProcess: false,
    websocket: route === 'websocket',
    legacySse: route === 'sse',
  })
  opened.push(() => service.drain())
  const { url } = service
  if (route === 'sse') return new SSEClientTransport(new URL(`${url.href}/sse`))
  if (route === 'http') return new StreamableHTTPClientTransport(url)
  return new WebSocketClientTransport(new URL(url.href.replace('http:', 'ws:')))
}

async function call(client: Client, name: string, args = {}): Promise<readonly string[]> {
  return textsOf((await client.callTool({ name, arguments: args })) as unknown as CallToolResult) // of this revision
}

describe.each(['stdio', 'http', 'sse', 'websocket'])('over %s', (route) => {
  test('trigger-sampling-request-async shows how the client got on', async () => {
    const client = await open(route)

    const [text = ''] = await call(client, 'trigger-sampling-request-async', { prompt: 'Why?' })

    expect(text).toMatch(
      /^\[COMPLETED\] Async sampling completed!\n\n\*\*Progress:\*\*\nTask created: \w+\n(Poll \d+: working\n)*Poll \d+: completed\n\n\*\*Result:\*\*\n\{/,
    )
    expect(text).toContain('Forty-two.')
  })

  test('trigger-elicitation-request-async shows what was filled in', async () => {
    const client = await open(route)

    const texts = await call(client, 'trigger-elicitation-request-async')

    expect(texts.slice(0, 2)).toEqual([
      '[COMPLETED] User provided the requested information!',
      'User inputs:\n- Name: Ada\n- Favorite Color: Green',
    ])
    expect(texts[2]).toMatch(
      /^\nProgress:\nTask created: \w+\n(Poll \d+: working\n)*Poll \d+: completed\n\nRaw result: \{/,
    )
  })

  test.each(['failed', 'cancelled'] as const)('a task that %s is told', async (ending) => {
    const client = await open(route, ending)

    const [text] = await call(client, 'trigger-elicitation-request-async')

    const state = `${ending} - as the test wants it`
    expect(text).toMatch(new RegExp(`^\\[${ending.toUpperCase()}\\] as the test wants it\n`))
    expect(text).toMatch(new RegExp(`\nPoll \\d+: ${state}$`))
  })
})

test('both are listed only for clients that take tasks on', async () => {
  const plain = await open('stdio', 'completed', { sampling: {}, elicitation: {} })
  const sampling = await open('stdio', 'completed', {
    sampling: {},
    tasks: { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
  })

  const [forPlain, forSampling] = await Promise.all(
    [plain, sampling].map(async (client) =>
      (await client.listTools()).tools.map(({ name }) => name),
    ),
  )

  expect(forPlain?.filter((name) => name.endsWith('-async'))).toEqual([])
  expect(forSampling?.filter((name) => name.endsWith('-async'))).toEqual([
    'trigger-sampling-request-async',
  ])
})
