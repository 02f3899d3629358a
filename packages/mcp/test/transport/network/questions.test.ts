import type { CreateMessageResult } from '@parley/mcp'
import type { ConnectOptions } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeNetwork, eventually } from '../../support/network.ts'

const requestedSchema = z.object({ name: z.string() })

/** A server whose tools answer with what they were told. */
function createClientInput(): Server {
  const server = createServer({ name: 'asking', version: '1.0.0', onError: () => undefined })
  server.tool('elicit', { inputSchema: z.object({ message: z.string() }) }, async (args, context) =>
    JSON.stringify(await context.elicit({ ...args, requestedSchema })),
  )
  server.tool('sample', { inputSchema: z.object({ text: z.string() }) }, async (args, context) =>
    JSON.stringify(await context.sample(inputRequest(args.text))),
  )
  server.tool('roots', {}, async (_, context) => JSON.stringify(await context.listRoots()))
  server.tool('several', {}, async (_, context) => {
    const texts = ['one', 'two', 'three']
    const [roots, ...answers] = await Promise.all([
      context.listRoots(),
      ...texts.map((text) => context.sample(inputRequest(text))),
    ])
    return JSON.stringify([roots, ...answers])
  })
  return server
}

function inputRequest(text: string) {
  const content = { type: 'text', text } as const
  return { messages: [{ role: 'user', content } as const], maxTokens: 10 }
}

function answer(text: string): CreateMessageResult {
  return { role: 'assistant', content: { type: 'text', text }, model: 'echo' }
}

const sample: ConnectOptions['sample'] = ({ messages }) => {
  const content = messages[0]?.content
  return answer(content && 'text' in content ? `re: ${content.text}` : '?')
}

describeNetwork(
  'a question',
  ({ hasHandshake, serve }) => {
    test('to the model is answered', async () => {
      await using network = await serve(createClientInput())
      const client = await network.connect({ sample })

      const result = await client.callTool('sample', { text: 'grüß dich' })

      expect(textOf(result)).toEqual(answer('re: grüß dich'))
    })

    test('for the roots is answered, and by the new ones once they are set', async () => {
      await using network = await serve(createClientInput())
      const client = await network.connect({ roots: ['file:///old'] })

      const before = await client.callTool('roots')
      await client.setRoots(['file:///new', { uri: 'file:///named', name: 'named' }])
      const after = await client.callTool('roots')

      expect(textOf(before)).toEqual([{ uri: 'file:///old' }])
      expect(textOf(after)).toEqual([
        { uri: 'file:///new' },
        { uri: 'file:///named', name: 'named' },
      ])
    })

    test('may be one of several at once, of one call and of many', async () => {
      await using network = await serve(createClientInput())
      const client = await network.connect({ sample, roots: ['file:///home'] })
      const names = Array.from({ length: 10 }, (_, index) => `call ${index}`)

      const [several, ...results] = await Promise.all([
        client.callTool('several'),
        ...names.map((text) => client.callTool('sample', { text })),
      ])

      expect(textOf(several)).toEqual([
        [{ uri: 'file:///home' }],
        answer('re: one'),
        answer('re: two'),
        answer('re: three'),
      ])
      expect(results.map(textOf)).toEqual(names.map((name) => answer(`re: ${name}`)))
    })

    test('is put to the client whose call it belongs to', async () => {
      await using network = await serve(createClientInput())
      const names = ['ada', 'bob', 'cy']
      const clients = await Promise.all(
        names.map((name) => network.connect({ sample: () => answer(name) })),
      )

      const results = await Promise.all(
        clients.map((client) => client.callTool('sample', { text: 'who?' })),
      )

      expect(results.map(textOf)).toEqual(names.map(answer))
    })

    test('is void when its call is cancelled', async () => {
      await using network = await serve(createClientInput())
      const controller = new AbortController()
      const signals: AbortSignal[] = []
      const client = await network.connect({
        sample: (_, { signal }) => {
          signals.push(signal)
          return new Promise(() => undefined)
        },
      })

      const calling = client.callTool('sample', { text: '?' }, { signal: controller.signal })
      const failed = expect(calling).rejects.toBe('enough')
      await eventually(() => expect(signals).toHaveLength(1))
      controller.abort('enough')

      await failed
      await eventually(() => expect(signals[0]?.aborted).toBe(true))
    })

    test('to somebody who cannot answer is an error: of the tool, or with a number of its own', async () => {
      await using network = await serve(createClientInput())
      const client = await network.connect()

      const outcomes = await Promise.allSettled([
        client.callTool('sample', { text: '?' }),
        client.callTool('elicit', { message: '?' }),
        client.callTool('roots'),
      ])

      expect(outcomes).toMatchObject(
        ['sampling', 'elicitation', 'roots'].map((capability) =>
          hasHandshake
            ? { value: { isError: true, content: [{ text: toldOf(capability) }] } }
            : {
                reason: {
                  code: 'missing_client_capability',
                  wireCode: -32021,
                  data: { requiredCapabilities: { [capability]: {} } },
                },
              },
        ),
      )
    })
  },
  { wayBack: true },
)

describeNetwork(
  'a question to the user',
  ({ serve }) => {
    test('is accepted or declined', async () => {
      await using network = await serve(createClientInput())
      const client = await network.connect({
        elicit: ({ message }) =>
          message === 'Name?'
            ? { action: 'accept', content: { name: 'Zoë' } }
            : { action: 'decline' },
      })

      const [accepted, declined] = await Promise.all([
        client.callTool('elicit', { message: 'Name?' }),
        client.callTool('elicit', { message: 'Password?' }),
      ])

      expect(textOf(accepted)).toEqual({ action: 'accept', content: { name: 'Zoë' } })
      expect(textOf(declined)).toEqual({ action: 'decline' })
    })
  },
  { wayBack: true, revisions: ['2026-07-28', '2025-11-25', '2025-06-18'] },
)

describeNetwork(
  'a question that has no way back',
  ({ serve }) => {
    test('is an error of the tool, and nothing is asked', async () => {
      await using network = await serve(createClientInput())
      const asked: unknown[] = []
      const client = await network.connect({ sample: (params) => (asked.push(params), answer('')) })

      const result = await client.callTool('sample', { text: '?' })

      expect(result.isError).toBe(true)
      expect(asked).toEqual([])
    })
  },
  { wayBack: false },
)

function textOf({ content }: { readonly content: readonly object[] }): unknown {
  const [block] = content as readonly { readonly text: string }[] // every tool here answers in text
  return JSON.parse(block?.text ?? 'null')
}

/** Our own client is told which option to pass, unless sessions are what is missing. */
function toldOf(capability: string): string {
  const option = { sampling: 'sample', elicitation: 'elicit', roots: 'roots' }[capability]
  return expect.stringMatching(
    new RegExp(
      `with ${capability}, which @parley/mcp does not offer .*: pass \`${option}\` to connect\\(\\)$`,
    ),
  ) as string
}
