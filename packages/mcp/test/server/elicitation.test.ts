import { type JsonSchema, type Schema, ToolError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createEverything } from '../support/everything.ts'
import { describeServer } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'

const newest = { revisions: ['2025-11-25', '2025-06-18'] }
const capabilities = { elicitation: {} }
const messages = { type: 'string', format: 'email', minLength: 3, maxLength: 80 }
const titled = [
  { const: 's', title: 'Small' },
  { const: 'l', title: 'Large' },
]

const choices: [string, Schema] = [
  'a list of choices',
  z.object({ tags: z.array(z.enum(['a', 'b'])) }),
]

describeServer(
  'a tool that asks the user',
  ({ revision, rawClient, connect }) => {
    const isPlain = revision === '2025-06-18'

    test('sends a message and a flat form, titles and defaults as the revision has them [ELIC-06, ELIC-07, ELIC-08..11, XREV-01, N11-ELI-05, N11-ELI-08, N11-CAP-04]', async () => {
      const client = await rawClient(createEverything(), { capabilities })

      client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } })
      const { params } = await client.next(({ method }) => method === 'elicitation/create')

      expect(params).toEqual({
        message: 'Which one?',
        requestedSchema: {
          type: 'object',
          properties: {
            size: {
              type: 'string',
              title: 'Size',
              ...(isPlain
                ? { enum: ['s', 'l'], enumNames: ['Small', 'Large'] }
                : { oneOf: titled, default: 's' }),
            },
            age: { type: 'integer', minimum: 0, maximum: 150, ...(isPlain ? {} : { default: 30 }) },
            mail: { ...messages, ...(isPlain ? {} : { default: 'a@b.example' }) },
            sure: { type: 'boolean', default: true }, // of old the one type with a default
          },
          required: ['size'],
        },
      })
      await client.close()
    })

    test('sends no patterns, and keeps to them all the same [N11-T-02]', async () => {
      const codes: unknown[] = []
      const mailbox = z.object({ mail: z.email(), code: z.string().regex(/^[A-Z]$/) })
      const client = await rawClient(shop(mailbox, codes), { capabilities })

      const calling = client.request('tools/call', { name: 'order' })
      const { id, params } = await client.next(({ method }) => method === 'elicitation/create')
      const content = { mail: 'ada@example.com', code: 'small' }
      client.send({ jsonrpc: '2.0', id, result: { action: 'accept', content } })
      await calling

      expect(params?.['requestedSchema']).toMatchObject({
        properties: { mail: { type: 'string', format: 'email' }, code: { type: 'string' } },
      })
      expect(JSON.stringify(params)).not.toContain('pattern')
      expect(codes).toEqual(['invalid_message'])
      await client.close()
    })

    test('tells the three outcomes apart [ELIC-12, ELIC-14]', async () => {
      const server = createServer({ name: 'shop', version: '1.0.0' })
      server.tool('order', {}, async (_, context) => {
        const answer = await context.elicit({
          message: 'How many?',
          requestedSchema: z.object({ count: z.number() }),
        })
        if (answer.action === 'accept') return `ordered ${answer.content.count}`
        if (answer.action === 'decline') throw new ToolError('Not wanted.')
        return 'Ask again later.'
      })
      const client = await rawClient(server, { capabilities })

      const accepted = await order(client, { action: 'accept', content: { count: 1.5 } }) // [DEC-06]
      const declined = await order(client, { action: 'decline' })
      const cancelled = await order(client, { action: 'cancel' })

      expect(accepted.result).toEqual({ content: [{ type: 'text', text: 'ordered 1.5' }] })
      expect(declined.result).toMatchObject({ isError: true })
      expect(cancelled.result).toEqual({ content: [{ type: 'text', text: 'Ask again later.' }] })
      await client.close()
    })

    test('gets what its schema makes of the answer', async () => {
      const server = createServer({ name: 'shop', version: '1.0.0' })
      server.tool('order', {}, async (_, context) => {
        const requestedSchema = z.object({ name: z.string().trim().max(3) })
        const answer = await context.elicit({ message: 'Who?', requestedSchema })
        return answer.action === 'accept' ? answer.content.name : answer.action
      })
      await using client = await connect(server, {
        elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      })

      expect(await client.callTool('order')).toEqual({ content: [{ type: 'text', text: 'Ada' }] })
    })

    test.each([
      ['content that does not fit', { action: 'accept', content: { count: 'x' } }],
      ['no content', { action: 'accept' }],
      ['nested content', { action: 'accept', content: { count: { of: 1 } } }],
      ['an action of its own', { action: 'maybe' }],
      ['nothing', {}],
    ])('is not fooled by a client that answers with %s [ELIC-13, ELIC-16]', async (_, result) => {
      const codes: unknown[] = []
      const server = shop(
        { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
        codes,
      )
      const client = await rawClient(server, { capabilities })

      await order(client, result)

      expect(codes).toEqual(['invalid_message'])
      await client.close()
    })

    test.each<[string, Schema]>([
      ['a nested object', z.object({ address: z.object({ city: z.string() }) })],
      ['a list', z.object({ tags: z.array(z.string()) })],
      ...(isPlain ? [choices] : []),
      ['no object', { type: 'string' }],
      ['a format of its own', object({ host: { type: 'string', format: 'hostname' } })],
      ['a field of two types', object({ size: { type: ['string', 'number'] } })],
    ])(
      'cannot ask for %s, and sends nothing [ELIC-07, ELIC-08..11]',
      async (_, requestedSchema) => {
        const codes: unknown[] = []
        const client = await rawClient(shop(requestedSchema, codes), { capabilities })

        await client.request('tools/call', { name: 'order' })

        expect(codes).toHaveLength(1)
        expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
        await client.close()
      },
    )

    if (isPlain) {
      test('cannot send a user to a link, and says so', async () => {
        const server = createServer({ name: 'shop', version: '1.0.0' })
        server.tool('pay', {}, async (_, context) => {
          await context.elicit({ mode: 'url', message: 'Pay', url: 'https://example.com/pay' })
        })
        const client = await rawClient(server, { capabilities })

        const { result } = await client.request('tools/call', { name: 'pay' })

        expect(result).toMatchObject({ isError: true })
        expect(JSON.stringify(result)).toContain('elicitation.url')
        await client.close()
      })
    }

    test('gets the error of a client that failed', async () => {
      const codes: unknown[] = []
      const client = await rawClient(shop(object({}), codes), { capabilities })

      const calling = client.request('tools/call', { name: 'order' })
      const { id } = await client.next(({ method }) => method === 'elicitation/create')
      client.send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no window' } })
      await calling

      expect(codes).toEqual(['internal_error'])
      await client.close()
    })

    test('does not ask a client that declared nothing [ELIC-01]', async () => {
      const codes: unknown[] = []
      const client = await rawClient(shop(object({}), codes))

      await client.request('tools/call', { name: 'order' })

      expect(codes).toEqual(['missing_client_capability'])
      expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
      await client.close()
    })
  },
  newest,
)

function object(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties }
}

/** A server whose one tool asks and notes how asking failed. */
function shop(requestedSchema: Schema, codes: unknown[]): Server {
  const server = createServer({ name: 'shop', version: '1.0.0', onError: () => undefined })
  server.tool('order', {}, async (_, context) => {
    await context
      .elicit({ message: 'How many?', requestedSchema })
      .catch((error: { code: string }) => codes.push(error.code))
  })
  return server
}

async function order(client: RawClient, result: object): Promise<Raw> {
  const calling = client.request('tools/call', { name: 'order' })
  const { id } = await client.next(({ method }) => method === 'elicitation/create')
  client.send({ jsonrpc: '2.0', id, result })
  return calling
}
