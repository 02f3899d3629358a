import type { LogMessage, Progress } from '@parley/mcp'
import { type Client, connect, toolOutput } from '@parley/mcp/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { legacyRevisions } from '../../src/wire/revisions.ts'
import { officialEverything } from './programs.ts'

/** Arguments for each tool of the official server, and what its answer must contain. */
const calls: Readonly<Record<string, readonly [args: object, answer: string]>> = {
  echo: [{ message: 'hello' }, 'Echo: hello'],
  'get-annotated-message': [{ messageType: 'debug', includeImage: true }, '"priority":0.3'],
  'get-env': [{}, 'PATH'],
  'get-resource-links': [{}, 'demo://resource/dynamic/blob/3'],
  'get-resource-reference': [{ resourceType: 'Blob' }, '"blob":'],
  'get-structured-content': [{ location: 'Los Angeles' }, 'Sunny / Clear'],
  'get-sum': [{ a: 1, b: 2 }, 'The sum of 1 and 2 is 3.'],
  'get-tiny-image': [{}, '"mimeType":"image/png"'],
  'gzip-file-as-resource': [{ data: 'data:,x' }, 'demo://resource/session/README.md.gz'],
  'toggle-simulated-logging': [{}, 'Started'],
  'toggle-subscriber-updates': [{}, 'Started'],
  'trigger-long-running-operation': [{ duration: 0.01, steps: 1 }, 'completed'],
  'get-roots-list': [{}, 'file:///home/ada'],
  'trigger-sampling-request': [{ prompt: 'Why?' }, 'Forty-two.'],
}

describe.each(['auto', ...legacyRevisions] as const)(
  'our client on the official everything server, by era %s',
  (protocolVersion) => {
    const logs: LogMessage[] = []
    const reported: unknown[] = []
    let client: Client

    beforeAll(async () => {
      client = await connect(officialEverything, {
        protocolVersion,
        roots: [{ uri: 'file:///home/ada', name: 'home' }],
        elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
        sample: () => ({
          role: 'assistant',
          content: { type: 'text', text: 'Forty-two.' },
          model: 'scripted',
        }),
        onLog: (message) => logs.push(message),
        onError: (error) => reported.push(error),
      })
      // Some of its tools come a moment after the handshake.
      await vi.waitFor(async () => {
        const tools = await client.listTools().toArray()
        expect(tools.map(({ name }) => name)).toContain('trigger-sampling-request')
      })
    })
    afterAll(async () => {
      // Its process would go on for its timers.
      await client.callTool('toggle-simulated-logging')
      await client.callTool('toggle-subscriber-updates')
      await client.close()
    })

    test('agrees on a revision', () => {
      expect(client.negotiated).toMatchObject({
        revision: protocolVersion === 'auto' ? legacyRevisions[0] : protocolVersion,
        transport: 'stdio',
      })
      expect(client.server.info?.name).toBe('mcp-servers/everything')
      expect(client.server.instructions).toBeTypeOf('string')
    })

    test('lists every tool there is', async () => {
      const names = (await client.listTools().toArray()).map(({ name }) => name)

      expect(names).toEqual(expect.arrayContaining(Object.keys(calls)))
    })

    test.each(Object.entries(calls))('calls %s', async (name, [args, answer]) => {
      const result = await client.callTool(name, args)

      expect(result.isError ?? false).toBe(false)
      expect(result.issues).toBeUndefined()
      expect(JSON.stringify(result.content)).toContain(answer)
    })

    if (protocolVersion >= '2025-06-18') {
      // The server asks every client for several values at once, which came with 2025-11-25.
      test('fills in a form with fields of a later revision', async () => {
        const { isError, content } = await client.callTool('trigger-elicitation-request')

        expect(isError ?? false).toBe(false)
        expect(JSON.stringify(content)).toContain('Ada')
      })
    }

    test('gets structured content', async () => {
      const result = await client.callTool('get-structured-content', { location: 'New York' })

      expect(toolOutput(result)).toEqual({ temperature: 33, conditions: 'Cloudy', humidity: 82 })
    })

    test('hears all progress, the last one too', async () => {
      const told: Progress[] = []

      await client.callTool(
        'trigger-long-running-operation',
        { duration: 0.06, steps: 3 },
        { onProgress: (progress) => told.push(progress) },
      )

      expect(told.map(({ progress }) => progress)).toEqual([1, 2, 3])
    })

    test('cancels a call, and the session goes on', async () => {
      const controller = new AbortController()

      const call = client.callTool(
        'trigger-long-running-operation',
        { duration: 0.5, steps: 50 },
        { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
      )

      await expect(call).rejects.toThrow('enough')
      await expect(client.ping()).resolves.toBeTypeOf('number')
    })

    test('lists and gets prompts', async () => {
      const prompts = await client.listPrompts().toArray()
      const { messages } = await client.getPrompt('args-prompt', { city: 'Oslo' })

      expect(prompts).toHaveLength(4)
      expect(messages).toEqual([
        { role: 'user', content: { type: 'text', text: "What's weather in Oslo?" } },
      ])
      await expect(client.getPrompt('args-prompt', {})).rejects.toMatchObject({
        code: 'invalid_params',
      })
    })

    test('completes arguments of prompts and templates', async () => {
      const departments = await client.complete(
        { type: 'ref/prompt', name: 'completable-prompt' },
        { name: 'department', value: 'S' },
      )
      const ids = await client.complete(
        { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
        { name: 'resourceId', value: '12' },
      )

      expect(departments.values).toEqual(['Sales', 'Support'])
      expect(ids.values).toEqual(['12'])
    })

    test('lists and reads resources', async () => {
      const resources = await client.listResources().toArray()
      const templates = await client.listResourceTemplates().toArray()
      const { contents } = await client.readResource(
        'demo://resource/static/document/architecture.md',
      )

      expect(resources.length).toBeGreaterThanOrEqual(7)
      expect(templates).toHaveLength(2)
      expect(contents).toMatchObject([{ mimeType: 'text/markdown' }])
      await expect(client.readResource('demo://nowhere')).rejects.toMatchObject({
        code: 'invalid_params',
      })
    })

    test('is told when the list of resources changes', async () => {
      await using changes = await client.listen({ resourcesListChanged: true })

      await client.callTool('gzip-file-as-resource', { name: 'new.gz', data: 'data:,new' })

      for await (const change of changes) {
        expect(change).toEqual({ type: 'resources' })
        break
      }
    })

    test('follows a resource', async () => {
      await using other = await connect(officialEverything, {
        protocolVersion,
        onError: () => undefined,
      })
      const uri = 'demo://resource/dynamic/text/9'
      await using changes = await other.listen({ resourceSubscriptions: [uri] })

      await other.callTool('toggle-subscriber-updates')

      for await (const change of changes) {
        expect(change).toEqual({ type: 'resource', uri })
        break
      }
      await other.callTool('toggle-subscriber-updates')
    })

    test('gets log messages', async () => {
      await client.setLoggingLevel('debug')
      await client.callTool('get-roots-list')

      expect(logs).toContainEqual({
        level: 'info',
        logger: 'everything-server',
        data: 'Roots updated: 1 root(s) received from client',
      })
    })

    test('tells about new roots, which the server then asks for', async () => {
      await client.setRoots(['/home/grace'])

      await vi.waitFor(async () => {
        const result = await client.callTool('get-roots-list')
        expect(JSON.stringify(result.content)).toContain('file:///home/grace')
      })
    })

    test('has had nothing to complain about', () => {
      expect(reported).toEqual([])
    })
  },
)
