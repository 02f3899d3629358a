import { jsonSchema } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'

const foreign = { 'com.example/trace': { deep: [1, 'two', null] }, plain: true }
/** A key of a reserved prefix, with a value nobody should look at. */
const reserved = { 'modelcontextprotocol.io/later': ['anything', 0], 'tools.mcp.com/x': null }
const _meta = { ...foreign, ...reserved }

describeMatrix(
  'metadata',
  ({ revision, connect, rawClient, rawServer }) => {
    const hasItemMeta = revision >= '2025-06-18'

    test('of a request reaches the handler as it is, and is no argument [META-01, META-02] [META-10]', async () => {
      const server = createServer({ name: 'meta', version: '1.0.0' })
      const seen: unknown[] = []
      server.tool('look', { inputSchema: jsonSchema({ type: 'object' }) }, (args, { meta }) => {
        seen.push(args, meta)
        return 'seen'
      })
      await using client = await connect(server)

      await client.callTool('look', { a: 1 }, { _meta })

      expect(seen).toEqual([{ a: 1 }, _meta])
    })

    test('of a request is sent beside the token for progress, which is ours [META-03] [META-10]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calling = client.callTool('x', {}, { _meta, onProgress: () => undefined })

      const { id, params } = await server.answer('tools/call', { content: [] })

      expect(params?.['_meta']).toEqual({ ..._meta, progressToken: id })
      await calling
      await client.close()
    })

    test('of requests of every kind arrives [META-10]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const options = { _meta }
      const requests = [
        ['tools/list', () => client.listTools(options).page(), { tools: [] }],
        ['prompts/list', () => client.listPrompts(options).page(), { prompts: [] }],
        ['prompts/get', () => client.getPrompt('x', {}, options), { messages: [] }],
        ['resources/list', () => client.listResources(options).page(), { resources: [] }],
        ['resources/read', () => client.readResource('x://x', options), { contents: [] }],
        ['logging/setLevel', () => client.setLoggingLevel('info', options), {}],
        ['ping', () => client.ping(options), {}],
      ] as const

      for (const [method, ask, result] of requests) {
        const requesting = ask()
        const { params } = await server.answer(method, result)
        expect(params?.['_meta']).toEqual(_meta)
        await requesting
      }
      await client.close()
    })

    test('of results of every kind comes through both of our sides [META-10]', async () => {
      const server = createServer({ name: 'meta', version: '1.0.0' })
      server.tool('tool', {}, () => ({ content: [], _meta }))
      server.prompt('prompt', {}, () => ({ messages: [], _meta }))
      server.resource('note://one', {}, () => ({ contents: [], _meta }))
      await using client = await connect(server)

      expect((await client.callTool('tool'))._meta).toEqual(_meta)
      expect((await client.getPrompt('prompt'))._meta).toEqual(_meta)
      expect((await client.readResource('note://one'))._meta).toEqual(_meta)
    })

    test('of listed items comes through where the revision has it [META-10] [R0326-16]', async () => {
      const server = createServer({ name: 'meta', version: '1.0.0' })
      server.tool('tool', { _meta }, () => '')
      server.prompt('prompt', { _meta }, () => '')
      server.resource('note://one', { name: 'one', _meta }, () => '')
      server.resource('note://{id}', { name: 'many', _meta }, () => '')
      await using client = await connect(server)

      const items = [
        ...(await client.listTools().toArray()),
        ...(await client.listPrompts().toArray()),
        ...(await client.listResources().toArray()),
        ...(await client.listResourceTemplates().toArray()),
      ]

      expect(items.map((item) => item._meta)).toEqual(
        Array.from({ length: 4 }, () => (hasItemMeta ? _meta : undefined)),
      )
    })

    test('of content blocks and contents comes through where the revision has it [META-10]', async () => {
      const server = createServer({ name: 'meta', version: '1.0.0' })
      const image = { type: 'image', data: 'AAAA', mimeType: 'image/png', _meta } as const
      server.tool('blocks', {}, () => ({
        content: [
          { type: 'text', text: 'x', _meta },
          image,
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', _meta },
          { type: 'resource_link', uri: 'note://one', name: 'one', _meta },
          { type: 'resource', resource: { uri: 'note://one', text: 'x', _meta }, _meta },
          { type: 'resource', resource: { uri: 'note://one', blob: 'AAAA', _meta }, _meta },
        ],
      }))
      server.resource('note://one', {}, () => ({
        contents: [
          { uri: 'note://one', text: 'x', _meta },
          { uri: 'note://one', blob: 'AAAA', _meta },
        ],
      }))
      await using client = await connect(server)

      const { content } = await client.callTool('blocks')
      const { contents } = await client.readResource('note://one')

      const expected = hasItemMeta ? _meta : undefined
      expect(content.map((block) => block._meta)).toEqual(content.map(() => expected))
      expect(content).toHaveLength(6)
      for (const block of content) {
        if (block.type === 'resource') expect(block.resource._meta).toEqual(expected)
      }
      expect(contents.map((part) => part._meta)).toEqual([expected, expected])
    })

    test('of roots comes through where the revision has it [META-10]', async () => {
      const server = createServer({ name: 'meta', version: '1.0.0' })
      server.tool('roots', {}, async (_, context) => JSON.stringify(await context.listRoots()))
      await using client = await connect(server, { roots: [{ uri: 'file:///one', _meta }] })

      const { content } = await client.callTool('roots')

      const [block] = content
      const roots = JSON.parse(block?.type === 'text' ? block.text : '[]') as { _meta?: object }[]
      expect(roots[0]?._meta).toEqual(hasItemMeta ? _meta : undefined)
    })

    describe('of a notification', () => {
      test('is read by our server without a word [META-10]', async () => {
        const server = createServer({ name: 'meta', version: '1.0.0' })
        const client = await rawClient(server)

        client.notify('notifications/initialized', { _meta })
        client.notify('notifications/cancelled', { requestId: 1, _meta })

        expect(await client.quiet()).toEqual([])
        await client.close()
      })

      test('reaches who listens for log messages and progress [META-10]', async () => {
        const received: unknown[] = []
        const server = rawServer({ onLog: (message) => received.push(message) })
        const client = await server.accept()
        const calling = client.callTool('x', {}, { onProgress: (value) => received.push(value) })
        const { id } = await server.expect('tools/call')

        server.send({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 1, _meta },
        })
        server.send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: id, progress: 1, _meta },
        })
        server.send({ jsonrpc: '2.0', id, result: { content: [] } })
        await calling

        expect(received).toEqual([
          { level: 'info', data: 1, _meta },
          { progress: 1, _meta },
        ])
        await client.close()
      })
    })
  },
  { channels: serverChannels },
)
