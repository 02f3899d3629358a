/** Our server asks for tasks, our client takes them on: both ends of what each of them does with a stranger. */

import { isMcpError, isRpcError } from '@parley/mcp'
import { type Client, connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { clientTasks, serverTasks } from '@parley/mcp/tasks'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

const params = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Why?' } }],
  maxTokens: 5,
}
const said = { role: 'assistant', content: { type: 'text', text: '42' }, model: 'm' } as const
const options = {
  extensions: [clientTasks({ inputRequests: { pollIntervalMs: 50 } })],
  elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) as const,
  sample: () => said,
}

/** For machines that are busy. */

/** Tools that ask as tasks, and the states they heard of. */
function createClientInput(): { readonly server: Server; readonly received: string[] } {
  const received: string[] = []
  const task = { onStatus: ({ status }: { readonly status: string }) => void received.push(status) }
  const server = createServer({ name: 'asking', version: '1.0.0', extensions: [serverTasks()] })
  server.tool('think', {}, async (_, { sample }) => {
    const { content } = await sample(params, { task })
    return JSON.stringify(content)
  })
  server.tool('fill', {}, async (_, { elicit }) => {
    const requestedSchema = z.object({ name: z.string() })
    return JSON.stringify(await elicit({ message: 'Who?', requestedSchema }, { task }))
  })
  server.tool('fall', {}, async (_, { sample }) =>
    sample(params, { task }).then(
      () => 'answered',
      (error: unknown) => (isRpcError(error) ? error.code : 'another failure'),
    ),
  )
  server.tool('hurry', {}, async (_, { sample }) =>
    sample(params, { task: { ...task, waitMs: 5_000 } }).then(
      () => 'answered',
      (error: unknown) => (isMcpError(error) ? error.code : 'another failure'),
    ),
  )
  return { server, received }
}

async function textOf(client: Client, tool: string): Promise<unknown> {
  const { content } = await client.callTool(tool)
  return content[0]?.type === 'text' ? content[0].text : content
}

describeServer(
  'a question that our client takes on as a task for our server',
  ({ connect: open }) => {
    test('is answered as any other [N11-TASK-07, N11-TASK-12, N11-TASK-13]', async () => {
      const { server, received } = createClientInput()
      await using client = await open(server, options)

      expect(await textOf(client, 'think')).toBe(JSON.stringify(said.content))
      expect(await textOf(client, 'fill')).toBe(
        JSON.stringify({ action: 'accept', content: { name: 'Ada' } }),
      )
      expect(received).toEqual(['working', 'completed', 'working', 'completed'])
    })

    test('is refused as any other [N11-TASK-13]', async () => {
      const { server, received } = createClientInput()
      const sample = (): never => {
        throw new Error('no')
      }
      await using client = await open(server, { ...options, sample })

      expect(await textOf(client, 'fall')).toBe('input_refused')
      expect(received).toEqual(['working', 'failed'])
    })

    test('is withdrawn when the server waits no longer [N11-TASK-19, N11-TASK-20]', async () => {
      const { server, received } = createClientInput()
      const clock = createVirtualClock()
      const signals: AbortSignal[] = []
      await using client = await open(server, {
        ...options,
        clock,
        sample: (_, { signal }) => {
          signals.push(signal)
          return new Promise<never>(() => undefined)
        },
      })

      const text = textOf(client, 'hurry')
      await vi.waitFor(() => expect([received, signals]).toMatchObject([['working'], [{}]]))
      await clock.advance(5_000)
      await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true))

      expect(signals[0]?.reason).toSatisfy((reason) => isMcpError(reason, 'cancelled'))
      expect(await text).toBe('timeout')
    })

    test('is an ordinary question for a client that does not want tasks [N11-TASK-01]', async () => {
      const { server, received } = createClientInput()
      const extensions = [clientTasks({ inputRequests: false })]
      await using client = await open(server, { ...options, extensions })

      expect(await textOf(client, 'think')).toBe(JSON.stringify(said.content))
      expect(received).toEqual([])
    })
  },
  { revisions: ['2025-11-25'] },
)

test('questions are taken on as tasks over a WebSocket too [N11-TASK-07]', async () => {
  const { server, received } = createClientInput()
  await using service = await serveHttp(server, { port: 0, websocket: true, ownsProcess: false })
  const address = new URL(service.url)
  address.protocol = 'ws:'
  await using client = await connect(address, { ...options, protocolVersion: '2025-11-25' })

  expect(client.negotiated.transport).toBe('websocket')
  expect(await textOf(client, 'think')).toBe(JSON.stringify(said.content))
  expect(received).toEqual(['working', 'completed'])
})

test.each(['2025-06-18', '2026-07-28'] as const)(
  'in %s our server asks as ever, and nothing of tasks is said [N11-CAP-04]',
  async (protocolVersion) => {
    const { server, received } = createClientInput()
    const sent: string[] = []
    await using client = await connect(server, {
      ...options,
      protocolVersion,
      onMessage: (frame) => sent.push(JSON.stringify(frame)),
    })

    expect(await textOf(client, 'think')).toBe(JSON.stringify(said.content))
    expect(received).toEqual([])
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter((text) => text.includes('"tasks":{'))).toEqual([])
  },
)
