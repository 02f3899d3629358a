import type { ElicitHandler } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 5 },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    height: { type: 'number' },
    member: { type: 'boolean', default: false },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
  },
  required: ['name'],
}

const newest = { revisions: ['2025-11-25', '2025-06-18'] }

describeMatrix(
  'a client that is asked to fill in a form',
  ({ rawServer }) => {
    test('declares that it can be [ELIC-01, N11-CAP-01]', async () => {
      const server = rawServer({ elicit: () => ({ action: 'decline' }) })

      const { params } = await server.expect('initialize')

      expect(params?.['capabilities']).toEqual({ elicitation: { form: {}, url: {} } })
      await server.close()
    })

    test('hands over the message, the schema as it is, and who asks [ELIC-06, ELIC-08..11, ELIC-21]', async () => {
      const seen: Parameters<ElicitHandler>[] = []
      const server = rawServer({ elicit: (...asked) => (seen.push(asked), { action: 'cancel' }) })
      const client = await server.accept()

      await ask(server)

      expect(seen[0]?.[0]).toEqual({ mode: 'form', message: 'Who are you?', requestedSchema: form })
      expect(seen[0]?.[1]).toMatchObject({ server: { name: 'raw-server', version: '1.0.0' } })
      await client.close()
    })

    test('says during which call it was asked', async () => {
      const seen: unknown[] = []
      const server = rawServer({
        elicit: (_, { operation, name }) => (seen.push({ operation, name }), { action: 'decline' }),
      })
      const client = await server.accept()

      const calling = client.callTool('order', {})
      const call = await server.expect('tools/call')
      await ask(server)
      server.send({ jsonrpc: '2.0', id: call.id, result: { content: [] } })
      await calling

      expect(seen).toEqual([{ operation: 'tools/call', name: 'order' }])
      await client.close()
    })

    test('answers with the content that was accepted, fractions included [ELIC-12, ELIC-13, DEC-06, N11-T-05]', async () => {
      const content = { name: 'Ada', age: 36, height: 1.65, member: true, size: 'l' }
      const server = rawServer({ elicit: async () => ({ action: 'accept', content }) })
      const client = await server.accept()

      const { result } = await ask(server)

      expect(result).toEqual({ action: 'accept', content })
      await client.close()
    })

    test.each(['decline', 'cancel'] as const)(
      'says %s without any content [ELIC-12, ELIC-13]',
      async (action) => {
        const given = { action, content: { name: 'secret' } }
        const server = rawServer({ elicit: () => given })
        const client = await server.accept()

        const { result } = await ask(server)

        expect(result).toEqual({ action })
        await client.close()
      },
    )

    test.each([
      ['text for a number', { name: 'Ada', age: 'x' }],
      ['a fraction for an integer', { name: 'Ada', age: 1.5 }],
      ['a number out of range', { name: 'Ada', age: 151 }],
      ['text too long', { name: 'Adalbert' }],
      ['no mail address', { name: 'Ada', mail: 'nobody' }],
      ['another choice', { name: 'Ada', size: 'm' }],
      ['a missing field', { age: 36 }],
      ['an object', { name: { first: 'Ada' } }],
      ['null', { name: null }],
    ])('lets no answer out that has %s [ELIC-13, ELIC-16]', async (_, content) => {
      const reports: unknown[] = []
      const server = rawServer({
        elicit: () => ({ action: 'accept', content }),
        onError: (error) => reports.push(error),
      })
      const client = await server.accept()

      const { error, result } = await ask(server)

      expect(result).toBeUndefined()
      expect(error).toEqual({ code: -32603, message: 'elicitation/create failed' })
      expect(reports).toHaveLength(1)
      await client.close()
    })

    test.each([
      ['an action of its own', { action: 'maybe' }],
      ['nothing', undefined],
    ])('takes %s for a fault of its own handler [ELIC-12]', async (_, wrong) => {
      const server = rawServer({ elicit: () => wrong as { action: 'cancel' } })
      const client = await server.accept()

      expect((await ask(server)).error?.code).toBe(-32603)
      await client.close()
    })

    test('does not tell the server why its handler failed', async () => {
      const server = rawServer({ elicit: () => Promise.reject(new Error('no window in /home/me')) })
      const client = await server.accept()

      const { error } = await ask(server)

      expect(error).toEqual({ code: -32603, message: 'elicitation/create failed' })
      await client.close()
    })

    test.each([
      ['a nested object', { address: { type: 'object', properties: {} } }],
      ['an array of objects', { people: { type: 'array', items: { type: 'object' } } }],
      ['a list of free text', { tags: { type: 'array', items: { type: 'string' } } }],
      ['a field of no type', { any: {} }],
      ['a type of its own', { when: { type: 'date' } }],
      ['a format of its own', { host: { type: 'string', format: 'hostname' } }],
      ['choices that are no text', { size: { type: 'string', enum: [1, 2] } }],
    ])('refuses a form with %s [ELIC-07, ELIC-08..11]', async (_, properties) => {
      const seen: unknown[] = []
      const server = rawServer({ elicit: (asked) => (seen.push(asked), { action: 'cancel' }) })
      const client = await server.accept()

      const { error } = await ask(server, { requestedSchema: { type: 'object', properties } })

      expect(error?.code).toBe(-32602)
      expect(seen).toEqual([])
      await client.close()
    })

    test.each([
      ['no message', { message: undefined }],
      ['no schema', { requestedSchema: undefined }],
      ['a schema that is no object', { requestedSchema: { type: 'string' } }],
      ['a schema without properties', { requestedSchema: { type: 'object' } }],
      ['a link without an id', { mode: 'url', url: 'https://example.com' }],
      ['the schema under another name [DEC-22]', { requestedSchema: undefined, schema: form }],
    ])('refuses a question with %s [ELIC-06, ELIC-07]', async (_, change) => {
      const server = rawServer({ elicit: () => ({ action: 'decline' }) })
      const client = await server.accept()

      expect((await ask(server, change)).error?.code).toBe(-32602)
      await client.close()
    })

    test.each(['elicitation/requestInput', 'elicitation/request', 'sampling/complete'])(
      'knows no method %s [DEC-22]',
      async (method) => {
        const server = rawServer({ elicit: () => ({ action: 'decline' }) })
        const client = await server.accept()

        server.send({ jsonrpc: '2.0', id: 1, method, params: { message: '', schema: form } })
        const { error } = await server.next(({ id }) => id === 1)

        expect(error?.code).toBe(-32601)
        await client.close()
      },
    )

    test('without a handler does not know the method [ELIC-01]', async () => {
      const server = rawServer()
      const client = await server.accept()

      expect((await ask(server)).error?.code).toBe(-32601)
      await client.close()
    })
  },
  newest,
)

function ask(server: RawServer, change: object = {}): ReturnType<RawServer['next']> {
  const params = { message: 'Who are you?', requestedSchema: form, ...change }
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params })
  server.send(JSON.parse(text))
  return server.next((reply) => reply.id === 1 && reply.method === undefined)
}
