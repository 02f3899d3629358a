import { expect, test } from 'vitest'

import type { CreateMessageResult } from '../../src/schema/sampling.ts'
import { createServer } from '../../src/server/create-server.ts'
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
  ({ rawServer, connect }) => {
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
        sample: (question) => (seen.push(question), answer),
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
      const server = rawServer({ sample: (question) => (seen.push(question), answer) })
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
        sample: (question) => (seen.push(question), answer),
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

    test('can be led through a loop that ends [N11-SAMP-10]', async () => {
      const server = createServer({ name: 'thinker', version: '1.0.0' })
      let turns = 0
      server.tool('think', {}, async (_, context) => {
        const messages: Parameters<typeof context.sample>[0]['messages'][number][] = [hello]
        while (turns < 3) {
          turns += 1
          const last = turns === 3 // the last word is the model's own
          const said = await context.sample({
            messages,
            maxTokens: 1,
            tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
            toolChoice: { mode: last ? 'none' : 'auto' },
          })
          if (said.stopReason !== 'toolUse') return 'done'
          messages.push({ role: 'assistant', content: use }, { role: 'user', content: outcome })
        }
        return 'enough'
      })
      await using client = await connect(server, {
        sampling: { tools: true },
        sample: ({ toolChoice }) =>
          toolChoice?.mode === 'none'
            ? { role: 'assistant', content: hello.content, model: 'm', stopReason: 'endTurn' }
            : answer,
      })

      expect(await client.callTool('think')).toEqual({ content: [{ type: 'text', text: 'done' }] })
      expect(turns).toBe(3)
    })
  },
  { revisions: ['2025-11-25'] },
)

function ask(server: RawServer, params: object): ReturnType<RawServer['next']> {
  server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params })
  return server.next((reply) => reply.id === 1 && reply.method === undefined)
}
