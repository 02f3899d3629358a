import { expect, test } from 'vitest'

import type { ConnectOptions } from '../../src/client/options.ts'
import { describeMatrix } from '../support/matrix.ts'

const info = {
  name: 'guest',
  version: '1.0.0',
  title: 'Guest',
  description: 'A guest',
  websiteUrl: 'https://example.com',
  icons: [{ src: 'https://example.com/icon.png' }],
}
const _meta = { 'com.example/origin': 'client' }

describeMatrix('the client keeps to the revision', ({ revision, rawServer }) => {
  const isCurrent = revision >= '2025-06-18'
  const hasModes = revision >= '2025-11-25'
  const protocolVersion = revision as NonNullable<ConnectOptions['protocolVersion']>

  test('in how it introduces itself [XREV-01, XREV-08, R0326S-01, N11-IMPL-01, N11-CAP-04]', async () => {
    const server = rawServer({ protocolVersion, info })

    const { params } = await server.expect('initialize')

    expect(params).toEqual({
      protocolVersion: revision,
      capabilities: {},
      clientInfo: {
        name: 'guest',
        version: '1.0.0',
        ...(isCurrent && { title: 'Guest' }),
        ...(hasModes && info),
      },
    })
    await server.close()
  })

  test('in the capabilities it declares [R0326S-08, R1105B-10, ELIC-01, SAMP-01, ROOT-01, N11-CAP-01, N11-CAP-04]', async () => {
    const server = rawServer({
      protocolVersion,
      elicit: () => ({ action: 'decline' }),
      sample: () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' }),
      roots: [],
      experimental: { 'com.example/thing': {} },
    })

    const { params } = await server.expect('initialize')

    expect(params?.['capabilities']).toEqual({
      ...(isCurrent && { elicitation: hasModes ? { form: {}, url: {} } : {} }),
      sampling: {},
      roots: { listChanged: true },
      experimental: { 'com.example/thing': {} },
    })
    await server.close()
  })

  test('in the context and title of a completion [XREV-01, XREV-08, R0326S-03]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const completing = client.complete(
      { type: 'ref/prompt', name: 'review', title: 'Review' },
      { name: 'code', value: 'a' },
      { known: { language: 'go' } },
    )
    const { params } = await server.answer('completion/complete', { completion: { values: [] } })

    expect(params).toEqual({
      ref: { type: 'ref/prompt', name: 'review', ...(isCurrent && { title: 'Review' }) },
      argument: { name: 'code', value: 'a' },
      ...(isCurrent && { context: { arguments: { language: 'go' } } }),
    })
    expect(await completing).toEqual({ values: [] })
    await client.close()
  })

  test('in the roots it lists [XREV-01, XREV-08]', async () => {
    const server = rawServer({ roots: [{ uri: 'file:///work', name: 'work', _meta }] })
    const client = await server.accept()

    server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    const { result } = await server.next(({ id }) => id === 1)

    expect(result).toEqual({
      roots: [{ uri: 'file:///work', name: 'work', ...(isCurrent && { _meta }) }],
    })
    await client.close()
  })

  test('in the messages its model gives [XREV-05, SAMP-07, R0326S-04, R1105B-05]', async () => {
    const annotations = { priority: 1, lastModified: '2025-06-18T00:00:00Z' }
    const audio = { type: 'audio' as const, data: 'AQID', mimeType: 'audio/wav' }
    const blocks = [{ type: 'text' as const, text: 'hi', annotations, _meta }, audio]
    const server = rawServer({
      sample: () => ({ role: 'assistant', content: blocks.shift() ?? audio, model: 'm' }),
    })
    const client = await server.accept()

    server.send(sampling(1))
    const text = await server.next(({ id }) => id === 1)
    server.send(sampling(2))
    const sound = await server.next(({ id }) => id === 2)

    expect(text.result?.['content']).toEqual({
      type: 'text',
      text: 'hi',
      annotations: isCurrent ? annotations : { priority: 1 },
      ...(isCurrent && { _meta }),
    })
    // Audio cannot be said in a model's answer before 2025-03-26, and is not dropped silently.
    if (revision === '2024-11-05') expect(sound.error).toBeDefined()
    else expect(sound.result?.['content']).toEqual(audio)
    await client.close()
  })

  test('in the questions it takes [XREV-10, R0326S-08, SCH-29]', async () => {
    const server = rawServer({ elicit: () => ({ action: 'decline' }) })
    const client = await server.accept()

    server.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'elicitation/create',
      params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
    })
    const answer = await server.next(({ id }) => id === 1)

    if (isCurrent) expect(answer.result).toEqual({ action: 'decline' })
    else expect(answer.error?.code).toBe(-32601)
    await client.close()
  })
})

function sampling(id: number): object {
  const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }]
  return {
    jsonrpc: '2.0',
    id,
    method: 'sampling/createMessage',
    params: { messages, maxTokens: 1 },
  }
}
