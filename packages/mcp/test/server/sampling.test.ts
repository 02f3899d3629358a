import type { CreateMessageRequestParams, SamplingMessage } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeServer } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'

const hello: SamplingMessage = { role: 'user', content: { type: 'text', text: 'hello' } }
const plain = { messages: [hello], maxTokens: 5 }
const tools = [{ name: 'weather', inputSchema: { type: 'object' as const } }]
const use = (id: string) =>
  ({
    type: 'tool_use',
    id,
    name: 'weather',
    input: { city: 'Oslo' },
    _meta: { trace: id },
  }) as const
const outcome = (toolUseId: string) =>
  ({ type: 'tool_result', toolUseId, content: [{ type: 'text', text: '21' }] }) as const
const answer = {
  role: 'assistant',
  content: [use('c')],
  model: 'm',
  stopReason: 'toolUse',
} as const

/** A conversation in which tools were used twice at once. */
const used: readonly SamplingMessage[] = [
  hello,
  { role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }, use('a'), use('b')] },
  { role: 'user', content: [outcome('b'), { ...outcome('a'), isError: true }] },
]

describeServer(
  'a tool that gives the model tools',
  ({ rawClient }) => {
    const capabilities = { sampling: { tools: {} } }

    test('sends them, the choice and the conversation as they are [N11-SAMP-01, N11-SAMP-04, N11-SAMP-08, N11-SAMP-11]', async () => {
      const params = { ...plain, messages: used, tools, toolChoice: { mode: 'required' } } as const
      const outcomes: unknown[] = []
      const client = await rawClient(thinking(params, outcomes), { capabilities })

      const inputRequest = await think(client)

      expect(inputRequest.params).toEqual(params)
      expect(outcomes).toEqual([answer])
      await client.close()
    })

    test.each([
      ['tools', { tools }],
      ['a choice among tools', { toolChoice: { mode: 'none' as const } }],
    ])(
      'sends no %s to a client without the capability [N11-SAMP-02, N11-CAP-02]',
      async (_, more) => {
        const outcomes: unknown[] = []
        const server = thinking({ ...plain, ...more }, outcomes)
        const client = await rawClient(server, { capabilities: { sampling: {} } })

        await client.request('tools/call', { name: 'think' })

        expect(outcomes).toEqual(['missing_client_capability'])
        expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
        await client.close()
      },
    )

    test.each<[string, readonly SamplingMessage[]]>([
      [
        'results beside text',
        [...used.slice(0, 2), { role: 'user', content: [outcome('a'), outcome('b'), text()] }],
      ],
      ['a use without its result', [...used.slice(0, 2), { role: 'user', content: outcome('a') }]],
      ['a use at the end', used.slice(0, 2)],
      ['results that come late', [...used.slice(0, 2), hello, ...used.slice(2)]],
    ])('does not send %s [N11-SAMP-05, N11-SAMP-06]', async (_, messages) => {
      const outcomes: unknown[] = []
      const client = await rawClient(thinking({ ...plain, messages, tools }, outcomes), {
        capabilities,
      })

      await client.request('tools/call', { name: 'think' })

      expect(outcomes).toEqual(['invalid_schema'])
      expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
      await client.close()
    })
  },
  { revisions: ['2025-11-25'] },
)

describeServer('a tool that wants context for the model', ({ revision, rawClient }) => {
  test.each(['thisServer', 'allServers', 'none'] as const)(
    'asks for %s where the client has it to give, or could not say [N11-SAMP-09]',
    async (includeContext) => {
      const server = thinking({ ...plain, includeContext }, [])
      const without = await rawClient(server, { capabilities: { sampling: {} } })
      const giving = await rawClient(server, { capabilities: { sampling: { context: {} } } })

      const inputRequests = [await think(without), await think(giving)]

      const isLeftOut = revision >= '2025-11-25' && includeContext !== 'none'
      expect(inputRequests.map(({ params }) => params?.['includeContext'])).toEqual([
        isLeftOut ? undefined : includeContext,
        includeContext,
      ])
      await without.close()
      await giving.close()
    },
  )
})

function text() {
  return { type: 'text', text: 'and?' } as const
}

function thinking(params: CreateMessageRequestParams, outcomes: unknown[]): Server {
  const server = createServer({ name: 'thinker', version: '1.0.0' })
  server.tool('think', {}, async (_, context) => {
    outcomes.push(await context.sample(params).catch((error: { code: string }) => error.code))
  })
  return server
}

async function think(client: RawClient): Promise<Raw> {
  const calling = client.request('tools/call', { name: 'think' })
  const inputRequest = await client.next(({ method }) => method === 'sampling/createMessage')
  client.send({ jsonrpc: '2.0', id: inputRequest.id, result: answer })
  await calling
  return inputRequest
}
