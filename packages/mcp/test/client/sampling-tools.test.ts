import { type CreateMessageRequestParams, type CreateMessageResult, ToolError } from '@parley/mcp'
import { createServer, sampleWithTools } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const hello = { role: 'user', content: { type: 'text', text: 'hello' } } as const
const tools = [{ name: 'weather', inputSchema: { type: 'object' } }]
const use = { type: 'tool_use', id: 'a', name: 'weather', input: {}, _meta: { cache: 1 } } as const
const outcome = { type: 'tool_result', toolUseId: 'a', content: [], _meta: { cache: 2 } } as const
const asked = { role: 'assistant', content: [{ type: 'text', text: 'Wait.' }, use] } as const
const plain = { messages: [hello], maxTokens: 1 }
const answer: CreateMessageResult = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Let me see.' },
    { ...use, id: 'b' },
  ],
  model: 'm',
  stopReason: 'toolUse',
}

describeMatrix(
  'a model that can use tools',
  ({ rawServer }) => {
    test.each([
      [undefined, {}],
      [{ tools: true }, { tools: {} }],
      [{ context: true }, { context: {} }],
      [
        { tools: true, context: true },
        { tools: {}, context: {} },
      ],
    ])('is declared as it was given: %j [N11-CAP-02]', async (sampling, declared) => {
      const server = rawServer({ sample: () => answer, sampling })

      const { params } = await server.expect('initialize')

      expect(params?.['capabilities']).toEqual({ sampling: declared })
      await server.close()
    })

    test('gets tools, choice and conversation as they were sent, and answers in several blocks [N11-SAMP-01, N11-SAMP-04, N11-SAMP-08, N11-SAMP-11]', async () => {
      const params = {
        ...plain,
        messages: [hello, asked, { role: 'user', content: outcome }],
        tools,
        toolChoice: { mode: 'auto' },
      }
      const seen: unknown[] = []
      const server = rawServer({
        sample: (inputRequest) => (seen.push(inputRequest), answer),
        sampling: { tools: true },
      })
      const client = await server.accept()

      const { result } = await ask(server, params)

      expect(seen).toEqual([params])
      expect(result).toEqual(answer)
      await client.close()
    })

    test.each([
      ['tools', { tools }],
      ['no tools at all', { tools: [] }],
      ['a choice', { toolChoice: { mode: 'none' } }],
    ])('is not asked with %s where it cannot use any [N11-SAMP-03]', async (_, more) => {
      const seen: unknown[] = []
      const server = rawServer({ sample: (inputRequest) => (seen.push(inputRequest), answer) })
      const client = await server.accept()

      const { error } = await ask(server, { ...plain, ...more })

      expect(error?.code).toBe(-32602)
      expect(seen).toEqual([])
      await client.close()
    })

    test.each([
      ['results beside text', [hello, asked, { role: 'user', content: [outcome, hello.content] }]],
      ['a use without its result', [hello, asked, hello]],
      ['a use at the end', [hello, asked]],
      ['a result by the assistant', [hello, asked, { role: 'assistant', content: [outcome] }]],
    ])('is not asked with %s [N11-SAMP-05, N11-SAMP-06, N11-SAMP-07]', async (_, messages) => {
      const seen: unknown[] = []
      const server = rawServer({
        sample: (inputRequest) => (seen.push(inputRequest), answer),
        sampling: { tools: true },
      })
      const client = await server.accept()

      const { error } = await ask(server, { ...plain, messages, tools })

      expect(error?.code).toBe(-32602)
      expect(error?.message).toContain('tool_result')
      expect(seen).toEqual([])
      await client.close()
    })

    test('says no with -1 [N11-SAMP-07]', async () => {
      const server = rawServer({
        sample: () => Promise.reject(new Error('no')),
        sampling: { tools: true },
      })
      const client = await server.accept()

      expect((await ask(server, { ...plain, tools })).error?.code).toBe(-1)
      await client.close()
    })
  },
  { revisions: ['2025-11-25'] },
)

describeMatrix(
  'a loop of a model and its tools',
  ({ connect }) => {
    const wants = (...names: string[]): CreateMessageResult => ({
      role: 'assistant',
      content: names.map((name, index) => ({ ...use, id: `${name}-${index}`, name })),
      model: 'm',
      stopReason: 'toolUse',
    })
    const done = { role: 'assistant', content: hello.content, model: 'm' } as const
    const ran: string[] = []

    function createThinker(rounds?: number) {
      ran.length = 0
      const server = createServer({ name: 'thinker', version: '1.0.0', onError: () => undefined })
      const inputSchema = { type: 'object' as const }
      const run = (name: string) => () => {
        ran.push(name)
        if (name === 'broken') throw new Error('secret')
        if (name === 'told') throw new ToolError('no such city')
        return `ran ${name}`
      }
      server.tool('think', {}, async (_, context) => {
        const offered = ['good', 'broken', 'told'].map((name) => ({
          name,
          inputSchema,
          run: run(name),
        }))
        const { content } = await sampleWithTools(context, { ...plain, tools: offered, rounds })
        return JSON.stringify(content)
      })
      return server
    }

    test('goes on until the model has answered, and tells it what its tools said [N11-SAMP-10]', async () => {
      const inputRequests: CreateMessageRequestParams[] = []
      await using client = await connect(createThinker(), {
        sampling: { tools: true },
        sample(params) {
          inputRequests.push(params)
          return inputRequests.length === 1 ? wants('good', 'broken', 'told', 'unheard') : done
        },
      })

      const { content } = await client.callTool('think')

      expect(content).toEqual([{ type: 'text', text: JSON.stringify(hello.content) }])
      expect(ran).toEqual(['good', 'broken', 'told'])
      expect(inputRequests[1]?.messages.at(-1)).toEqual({
        role: 'user',
        content: [
          ['good-0', 'ran good', false],
          ['broken-1', 'the tool failed', true],
          ['told-2', 'no such city', true],
          ['unheard-3', 'there is no tool "unheard"', true],
        ].map(([toolUseId, text, isError]) => ({
          type: 'tool_result',
          toolUseId,
          content: [{ type: 'text', text }],
          ...(isError === true && { isError }),
        })),
      })
    })

    test('ends after its rounds, in the last of which no tool may be used [N11-SAMP-10]', async () => {
      const modes: unknown[] = []
      await using client = await connect(createThinker(3), {
        sampling: { tools: true },
        sample({ toolChoice }) {
          modes.push(toolChoice?.mode)
          return wants('good')
        },
      })

      await expect(client.callTool('think')).rejects.toThrow('still uses tools after 3 rounds')

      expect(modes).toEqual([undefined, undefined, 'none'])
      expect(ran).toEqual(['good', 'good'])
    })

    test('runs no more than 32 tools for one answer', async () => {
      let turns = 0
      await using client = await connect(createThinker(), {
        sampling: { tools: true },
        sample: () => ((turns += 1) === 1 ? wants(...Array(40).fill('good')) : done),
      })

      await client.callTool('think')

      expect(ran).toHaveLength(32)
    })
  },
  { revisions: ['2025-11-25', '2026-07-28'] },
)

function ask(server: RawServer, params: object): ReturnType<RawServer['next']> {
  server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params })
  return server.next((reply) => reply.id === 1 && reply.method === undefined)
}
