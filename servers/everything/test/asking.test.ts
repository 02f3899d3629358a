import {
  RpcError,
  type CreateMessageRequestParams,
  type JsonSchema,
  type LogMessage,
} from '@parley/mcp'
import { expect, test } from 'vitest'

import { answering, inEveryRevision, textsOf } from './support.ts'

inEveryRevision((open, revision) => {
  test('get-roots-list shows the roots of the client', async () => {
    const logged: LogMessage[] = []
    await using client = await open({ ...answering, onLog: (message) => logged.push(message) })

    const result = await client.callTool('get-roots-list')

    expect(textsOf(result)[0]).toContain('1. home\n   URI: file:///home/ada')
    expect(logged).toEqual([
      {
        level: 'info',
        logger: 'everything-server',
        data: 'Roots updated: 1 root(s) received from client',
      },
    ])
  })

  test('get-roots-list explains when there is none', async () => {
    await using client = await open({ roots: [] })

    const result = await client.callTool('get-roots-list')

    expect(textsOf(result)[0]).toContain('no roots')
  })

  test("trigger-sampling-request asks the client's model", async () => {
    const asked: CreateMessageRequestParams[] = []
    await using client = await open({
      sample: (params) => {
        asked.push(params)
        return answering.sample()
      },
    })

    const result = await client.callTool('trigger-sampling-request', { prompt: 'Why?' })

    expect(asked).toEqual([
      {
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: 'Resource trigger-sampling-request context: Why?' },
          },
        ],
        systemPrompt: 'You are a helpful test server.',
        maxTokens: 100,
        temperature: 0.7,
      },
    ])
    expect(textsOf(result)[0]).toContain('Forty-two.')
  })

  if (revision < '2026-07-28') {
    test('a model reads that the client refused', async () => {
      await using client = await open({
        sample() {
          throw new RpcError('input_refused', 'The user said no.')
        },
      })

      const result = await client.callTool('trigger-sampling-request', { prompt: 'Why?' })

      expect(result.isError).toBe(true)
      expect(textsOf(result)).toEqual(['The user said no.'])
    })
  }

  if (revision < '2025-06-18') return

  test('trigger-elicitation-request asks for every kind of field', async () => {
    let form: JsonSchema = {}
    await using client = await open({
      elicit: (request) => {
        if (request.mode === 'form') form = request.requestedSchema
        return answering.elicit()
      },
    })

    const result = await client.callTool('trigger-elicitation-request')

    const untouched = revision >= '2025-11-25' ? ['- Favorite Number: 3.14'] : []
    expect(form).toMatchObject({
      required: ['name'],
      properties: {
        name: { type: 'string' },
        check: { type: 'boolean' },
        email: { format: 'email' },
        homepage: { format: 'uri' },
        birthdate: { format: 'date' },
        integer: { type: 'integer', minimum: 1, maximum: 100 },
        number: { type: 'number', minimum: 0, maximum: 1000 },
        untitledSingleSelectEnum: { enum: expect.any(Array) as unknown },
        titledSingleSelectEnum:
          revision >= '2025-11-25'
            ? { oneOf: [{ const: 'hero-1' }, { const: 'hero-2' }, { const: 'hero-3' }] }
            : { enumNames: ['The first hero', 'The second hero', 'The third hero'] },
        legacyTitledEnum: { enumNames: ['Cat', 'Dog', 'Bird', 'Fish', 'Lizard'] },
      },
    })
    expect(textsOf(result)).toEqual([
      '✅ User provided the requested information!',
      ['User inputs:', '- Name: Ada', '- Favorite Integer: 7', ...untouched].join('\n'),
      expect.stringContaining('"action": "accept"'),
    ])
  })

  test('no form asks for a secret [ELIC-02, N11-ELI-10]', async () => {
    const secret =
      /pass(word|phrase|code)|secret|api[\s_-]?key|token|credential|private key|card|\bcvv\b|\bpin\b/i
    const forms: string[] = []
    await using client = await open({
      ...answering,
      elicit: (request) => {
        if (request.mode === 'form')
          forms.push(JSON.stringify([request.message, request.requestedSchema]))
        return answering.elicit()
      },
    })

    for await (const { name } of client.listTools()) {
      if (/elicit|confirm|round/.test(name) && !/url|async/.test(name)) await client.callTool(name)
    }

    expect(forms.length).toBeGreaterThan(0)
    expect(forms.filter((form) => secret.test(form))).toEqual([])
  })

  test.each(['decline', 'cancel'] as const)('takes %s for an answer', async (action) => {
    await using client = await open({ elicit: () => ({ action }) })

    const result = await client.callTool('trigger-elicitation-request')

    expect(result.isError).toBeUndefined()
    expect(textsOf(result)[1]).toContain(`"action": "${action}"`)
  })
})
