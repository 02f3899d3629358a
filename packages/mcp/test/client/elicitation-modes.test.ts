import type { ElicitHandler } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawServer } from '../support/raw-server.ts'

const only = { revisions: ['2025-11-25'] }
const link = {
  mode: 'url',
  message: 'Link your account',
  url: 'https://srv.test/link/9?state=a%20b#c',
  elicitationId: 'e9',
}
const titled = [
  { const: 'r', title: 'Rouge' },
  { const: 'v', title: 'Vert' },
]
const form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ada' },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 36 },
    height: { type: 'number', default: 1.5 },
    sure: { type: 'boolean', default: false },
    plain: { type: 'string', enum: ['a', 'b'], default: 'a' },
    single: { type: 'string', oneOf: titled, default: 'v' },
    several: {
      type: 'array',
      items: { type: 'string', enum: ['a', 'b', 'c'] },
      minItems: 1,
      maxItems: 2,
      default: ['a', 'b'],
    },
    titled: { type: 'array', items: { anyOf: titled }, default: ['r'] },
    legacy: { type: 'string', enum: ['x', 'y'], enumNames: ['X', 'Y'], default: 'y' },
    note: { type: 'string' },
  },
  required: ['name', 'several'],
}
const defaults = {
  name: 'Ada',
  age: 36,
  height: 1.5,
  sure: false,
  plain: 'a',
  single: 'v',
  several: ['a', 'b'],
  titled: ['r'],
  legacy: 'y',
}

describeMatrix(
  'a client that is sent to a link',
  ({ rawServer }) => {
    test('gets it whole, with its server, and opens nothing itself [N11-URL-11, N11-URL-12, N11-ELI-11]', async () => {
      const seen: Parameters<ElicitHandler>[] = []
      const fetched: unknown[] = []
      const server = rawServer({
        elicit: (...asked) => (seen.push(asked), { action: 'accept' }),
        fetch: async (...asked) => (fetched.push(asked), new Response()),
      })
      const client = await server.accept()

      const { result } = await ask(server, link)

      expect(seen[0]?.[0]).toEqual(link)
      expect(seen[0]?.[1]).toMatchObject({ server: { name: 'raw-server', version: '1.0.0' } })
      expect(result).toEqual({ action: 'accept' })
      expect(fetched).toEqual([])
      await client.close()
    })

    test('never answers with content [N11-URL-03]', async () => {
      const server = rawServer({
        elicit: () => ({ action: 'accept', content: { card: '4242' } }),
      })
      const client = await server.accept()

      expect((await ask(server, link)).result).toEqual({ action: 'accept' })
      await client.close()
    })

    test.each([
      ['without an id', { elicitationId: undefined }],
      ['without an address', { url: undefined }],
      ['without a message', { message: undefined }],
      ['to nowhere', { url: 'nowhere' }],
      ['that is a program', { url: 'javascript:alert(1)' }],
      ['to a file', { url: 'file:///etc/passwd' }],
      ['in a mode of its own', { mode: 'popup' }],
    ])('does not take one %s [N11-URL-01]', async (_, change) => {
      const seen: unknown[] = []
      const server = rawServer({ elicit: (asked) => (seen.push(asked), { action: 'accept' }) })
      const client = await server.accept()

      const { error } = await ask(server, { ...link, ...change })

      expect(error?.code).toBe(-32602)
      expect(seen).toEqual([])
      await client.close()
    })
  },
  only,
)

describeMatrix(
  'a client',
  ({ rawServer }) => {
    test.each([
      ['forms', ['form'], { form: {} }, link],
      ['links', ['url'], { url: {} }, { message: 'Who?', requestedSchema: form }],
    ] as const)(
      'that can show %s only says so, and answers nothing else [N11-CAP-01, N11-ELI-04]',
      async (_, elicitModes, elicitation, other) => {
        const seen: unknown[] = []
        const server = rawServer({
          elicitModes,
          elicit: (asked) => (seen.push(asked), { action: 'accept' }),
        })
        const client = await server.accept()

        const { error } = await ask(server, other)

        expect(client.capabilities).toEqual({ elicitation })
        expect(server.received[0]?.params?.['capabilities']).toEqual({ elicitation })
        expect(error?.code).toBe(-32602)
        expect(seen).toEqual([])
        await client.close()
      },
    )

    test.each([{}, { mode: 'form' }])(
      'takes a question with %j for a form [N11-ELI-01, N11-ELI-02]',
      async (mode) => {
        const modes: string[] = []
        const server = rawServer({
          elicit: (asked) => (modes.push(asked.mode), { action: 'decline' }),
        })
        const client = await server.accept()

        await ask(server, { message: 'Who?', requestedSchema: form, ...mode })

        expect(modes).toEqual(['form'])
        await client.close()
      },
    )

    test('submits a form that nobody touched with its defaults [N11-ELI-05, N11-ELI-06, N11-ELI-07, N11-ELI-09]', async () => {
      const server = rawServer({ elicit: () => ({ action: 'accept', content: {} }) })
      const client = await server.accept()

      const { result } = await ask(server, { message: 'Who?', requestedSchema: form })

      expect(result).toEqual({ action: 'accept', content: defaults })
      await client.close()
    })

    test('takes a form with a pattern, which nobody should send [N11-T-02]', async () => {
      const properties = { code: { type: 'string', pattern: '^[A-Z]$' } }
      const server = rawServer({ elicit: () => ({ action: 'accept', content: { code: 'A' } }) })
      const client = await server.accept()

      const requestedSchema = { type: 'object', properties }
      const { result } = await ask(server, { message: 'Which?', requestedSchema })

      expect(result).toEqual({ action: 'accept', content: { code: 'A' } })
      await client.close()
    })

    test('submits what was entered, in all forms of choice [N11-ELI-06, N11-ELI-07, N11-ELI-08, N11-ELI-09]', async () => {
      const content = {
        sure: true,
        single: 'r',
        several: ['c'],
        titled: ['r', 'v'],
        legacy: 'x',
        note: '',
      }
      const server = rawServer({ elicit: () => ({ action: 'accept', content }) })
      const client = await server.accept()

      const { result } = await ask(server, { message: 'Who?', requestedSchema: form })

      expect(result).toEqual({ action: 'accept', content: { ...defaults, ...content } })
      await client.close()
    })

    test.each([
      ['a choice that is not offered', { several: ['z'] }],
      ['too many choices', { several: ['a', 'b', 'c'] }],
      ['no choice where one is due', { several: [] }],
      ['another title', { titled: ['Rouge'] }],
      ['a number out of range', { age: 151 }],
    ])('submits nothing that has %s [N11-ELI-12]', async (_, content) => {
      const server = rawServer({ elicit: () => ({ action: 'accept', content }) })
      const client = await server.accept()

      const { error, result } = await ask(server, { message: 'Who?', requestedSchema: form })

      expect(result).toBeUndefined()
      expect(error?.code).toBe(-32603)
      await client.close()
    })
  },
  only,
)

function ask(server: RawServer, params: object): Promise<Raw> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params })
  server.send(JSON.parse(text))
  return server.next((reply) => reply.id === 1 && reply.method === undefined)
}
