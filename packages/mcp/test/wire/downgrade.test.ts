import { expect, test } from 'vitest'

import { createServer } from '../../src/server/create-server.ts'
import { toolResult } from '../../src/server/tools/tool-result.ts'
import { createEverything } from '../support/everything.ts'
import { describeServer } from '../support/matrix.ts'
import type { RawClient } from '../support/raw-client.ts'

type Block = Record<string, unknown> & { readonly type: string; readonly text?: string }

const contentTypes: Record<string, readonly string[]> = {
  '2024-11-05': ['text', 'image', 'resource'],
  '2025-03-26': ['text', 'image', 'audio', 'resource'],
  '2025-06-18': ['text', 'image', 'audio', 'resource', 'resource_link'],
  '2025-11-25': ['text', 'image', 'audio', 'resource', 'resource_link'],
}

describeServer('what a revision lacks', ({ revision, rawClient }) => {
  const isCurrent = revision >= '2025-06-18'

  test('never puts a content type outside its union [XREV-05, R0326S-04, R1105B-05]', async () => {
    const client = await rawClient(createEverything())

    const blocks = await contentOf(client, 'blocks')
    const { result } = await client.request('prompts/get', {
      name: 'review',
      arguments: { code: 'x' },
    })
    const messages = result?.['messages'] as { content: Block }[]

    const types = [...blocks, ...messages.map(({ content }) => content)].map(({ type }) => type)
    expect([...new Set(types)].toSorted()).toEqual(contentTypes[revision]?.toSorted())
    await client.close()
  })

  test('loses no block on the way to an older peer [XREV-06]', async () => {
    const client = await rawClient(createEverything())

    const blocks = await contentOf(client, 'blocks')

    expect(blocks).toHaveLength(6)
    const audio = blocks[2]
    if (revision === '2024-11-05') {
      expect(audio).toMatchObject({
        type: 'resource',
        resource: { mimeType: 'audio/wav', blob: 'AQID' },
        annotations: { audience: ['user'] },
      })
    } else {
      expect(audio).toMatchObject({ type: 'audio', data: 'AQID', mimeType: 'audio/wav' })
    }
    const link = blocks[5]
    if (isCurrent) expect(link).toMatchObject({ type: 'resource_link', uri: 'notes://3' })
    else expect(link).toEqual({ type: 'text', text: 'A title: notes://3\nWhat it is' })
    await client.close()
  })

  test('says audio as base64 with its media type [R0326S-09]', async () => {
    const client = await rawClient(createEverything())

    const text = JSON.stringify(await contentOf(client, 'blocks'))

    expect(text).toContain('"AQID"')
    expect(text).toContain('"mimeType":"audio/wav"')
    await client.close()
  })

  test('always has structured output as text too, and only so where it must [XREV-07]', async () => {
    const client = await rawClient(createEverything())

    const object = await client.request('tools/call', {
      name: 'forecast',
      arguments: { city: 'Oslo' },
    })
    const list = await client.request('tools/call', { name: 'count' })

    expect(object.result).toEqual({
      content: [{ type: 'text', text: '{"celsius":21}' }],
      ...(isCurrent && { structuredContent: { celsius: 21 } }),
    })
    expect(list.result).toEqual({ content: [{ type: 'text', text: '[1,2,3]' }] })
    await client.close()
  })

  test('adds the structured value to content that does not have it, and only then [XREV-06, XREV-07]', async () => {
    const server = createServer({ name: 'shop', version: '1.0.0' })
    const outputSchema = { type: 'object' }
    const structuredContent = { total: 3 }
    server.tool('silent', { outputSchema }, () =>
      toolResult({ structuredContent, content: ['three'] }),
    )
    server.tool('spoken', { outputSchema }, () =>
      toolResult({ structuredContent, content: ['{ "total": 3 }'] }),
    )
    const client = await rawClient(server)

    const silent = await contentOf(client, 'silent')
    const spoken = await contentOf(client, 'spoken')

    const texts = silent.map(({ text }) => text)
    expect(texts).toEqual(isCurrent ? ['three'] : ['three', '{"total":3}'])
    expect(spoken).toEqual([{ type: 'text', text: '{ "total": 3 }' }])
    await client.close()
  })

  test('asks no elicitation below 2025-06-18, whatever the client declares [XREV-10]', async () => {
    const client = await rawClient(createEverything(), { capabilities: { elicitation: {} } })

    client.send({
      jsonrpc: '2.0',
      id: 'call',
      method: 'tools/call',
      params: { name: 'ask', arguments: {} },
    })
    const first = await client.next()

    if (isCurrent) {
      expect(first.method).toBe('elicitation/create')
    } else {
      expect(first).toMatchObject({ id: 'call', result: { isError: true } })
      expect(JSON.stringify(first.result)).toContain(revision)
    }
    await client.close()
  })

  test('still completes arguments where no revision had declared it [R1105B-07]', async () => {
    const client = await rawClient(createEverything())

    const { result } = await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'code', value: 'a' },
    })

    expect(result).toEqual({ completion: { values: ['a!'] } })
    await client.close()
  })

  test('keeps two peers of one definition apart [XREV-01]', async () => {
    const server = createEverything()
    const older = await rawClient(server, { revision: '2024-11-05' })
    const newer = await rawClient(server, { revision: '2025-06-18' })

    const [old, fresh] = await Promise.all(
      [older, newer].map((client) => client.request('tools/list')),
    )

    expect(JSON.stringify(old)).not.toContain('outputSchema')
    expect(JSON.stringify(fresh)).toContain('outputSchema')
    await older.close()
    await newer.close()
  })
})

async function contentOf(client: RawClient, name: string): Promise<readonly Block[]> {
  const { result } = await client.request('tools/call', { name, arguments: {} })
  return result?.['content'] as Block[]
}
