import { gunzipSync } from 'node:zlib'

import type { LogMessage, Progress } from '@parley/mcp'
import { expect, test, vi } from 'vitest'

import { inEveryRevision, textsOf } from './support.ts'

inEveryRevision((open, revision) => {
  test('echo says the message back', async () => {
    await using client = await open()

    const result = await client.callTool('echo', { message: 'hello' })

    expect(result.content).toEqual([{ type: 'text', text: 'Echo: hello' }])
  })

  test('get-sum adds', async () => {
    await using client = await open()

    const result = await client.callTool('get-sum', { a: 1.5, b: 2 })

    expect(textsOf(result)).toEqual(['The sum of 1.5 and 2 is 3.5.'])
  })

  test('arguments that do not fit are a result the model can read', async () => {
    await using client = await open()

    const result = await client.callTool('get-sum', { a: 'one', b: 2 })

    expect(result.isError).toBe(true)
    expect(textsOf(result)[0]).toMatch(/get-sum.*\n.*a: /)
  })

  test('get-env shows the environment of the process', async () => {
    vi.stubEnv('EVERYTHING_TEST', 'seen')
    await using client = await open()

    const result = await client.callTool('get-env')

    expect(JSON.parse(textsOf(result)[0] ?? '')).toMatchObject({ EVERYTHING_TEST: 'seen' })
    vi.unstubAllEnvs()
  })

  test('get-tiny-image puts a picture of 20 by 20 between two texts', async () => {
    await using client = await open()

    const { content } = await client.callTool('get-tiny-image')

    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    const picture = content[1]
    const png = Buffer.from(picture?.type === 'image' ? picture.data : '', 'base64')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([20, 20])
  })

  test.each([
    ['error', 'Error: Operation failed', 1, ['user', 'assistant']],
    ['success', 'Operation completed successfully', 0.7, ['user']],
    ['debug', 'Debug: Cache hit ratio 0.95, latency 150ms', 0.3, ['assistant']],
  ])(
    'get-annotated-message marks a message of type %s',
    async (messageType, text, priority, audience) => {
      await using client = await open()

      const plain = await client.callTool('get-annotated-message', { messageType })
      const withImage = await client.callTool('get-annotated-message', {
        messageType,
        includeImage: true,
      })

      const message = { type: 'text', text, annotations: { priority, audience } }
      expect(plain.content).toEqual([message])
      expect(withImage.content).toEqual([
        message,
        expect.objectContaining({
          type: 'image',
          annotations: { priority: 0.5, audience: ['user'] },
        }),
      ])
    },
  )

  test.each([
    ['New York', { temperature: 33, conditions: 'Cloudy', humidity: 82 }],
    ['Chicago', { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 }],
    ['Los Angeles', { temperature: 73, conditions: 'Sunny / Clear', humidity: 48 }],
  ])('get-structured-content knows the weather in %s', async (location, weather) => {
    await using client = await open()

    const result = await client.callTool('get-structured-content', { location })

    expect(JSON.parse(textsOf(result)[0] ?? '')).toEqual(weather)
    expect(result.structuredContent).toEqual(revision >= '2025-06-18' ? weather : undefined)
  })

  test('get-resource-links points at binary and text resources in turn', async () => {
    await using client = await open()

    const { content } = await client.callTool('get-resource-links', { count: 2 })

    expect(content[0]).toMatchObject({
      text: 'Here are 2 resource links to resources available in this server:',
    })
    expect(content).toHaveLength(3)
    if (revision < '2025-06-18') {
      expect(JSON.stringify(content[2])).toContain('demo://resource/dynamic/text/2')
      return
    }
    expect(content.slice(1)).toMatchObject([
      { type: 'resource_link', uri: 'demo://resource/dynamic/blob/1', name: 'Blob Resource 1' },
      { type: 'resource_link', uri: 'demo://resource/dynamic/text/2', name: 'Text Resource 2' },
    ])
  })

  test('get-resource-links gives three links unless told otherwise', async () => {
    await using client = await open()

    expect((await client.callTool('get-resource-links')).content).toHaveLength(4)
    expect((await client.callTool('get-resource-links', { count: 11 })).isError).toBe(true)
  })

  test('get-resource-reference embeds a resource', async () => {
    await using client = await open()

    const { content } = await client.callTool('get-resource-reference')
    const blob = await client.callTool('get-resource-reference', {
      resourceType: 'Blob',
      resourceId: 2,
    })

    expect(content[1]).toMatchObject({
      type: 'resource',
      resource: {
        uri: 'demo://resource/dynamic/text/1',
        mimeType: 'text/plain',
        text: expect.stringContaining(
          'Resource 1: This is a plaintext resource created at',
        ) as string,
      },
    })
    expect(content[2]).toMatchObject({
      text: 'You can access this resource using the URI: demo://resource/dynamic/text/1',
    })
    expect(blob.content[1]).toMatchObject({
      resource: { uri: 'demo://resource/dynamic/blob/2', blob: expect.any(String) as string },
    })
  })

  test.each([0, -2, 1.5])('get-resource-reference refuses the id %s', async (resourceId) => {
    await using client = await open()

    const result = await client.callTool('get-resource-reference', { resourceId })

    expect(result.isError).toBe(true)
    expect(textsOf(result)).toEqual([
      `Invalid resourceId: ${resourceId}. Must be a finite positive integer.`,
    ])
  })

  test('gzip-file-as-resource keeps a compressed file for the session, or for the caller', async () => {
    await using client = await open()
    await using changes = await client.listen({ resourcesListChanged: true })

    await client.callTool('gzip-file-as-resource', {
      name: 'my notes.gz',
      data: 'data:text/plain,hello',
    })

    const uri = 'demo://resource/session/my%20notes.gz'
    for await (const change of changes) {
      expect(change).toEqual({ type: 'resources' })
      break
    }
    expect(await client.listResources().toArray()).toContainEqual(
      expect.objectContaining({ uri, name: 'my notes.gz', mimeType: 'application/gzip' }),
    )
    const { contents } = await client.readResource(uri)
    const [first] = contents
    const bytes = Buffer.from(first && 'blob' in first ? first.blob : '', 'base64')
    expect(gunzipSync(bytes).toString()).toBe('hello')
  })

  test('gzip-file-as-resource can give the file itself', async () => {
    await using client = await open()

    const { content } = await client.callTool('gzip-file-as-resource', {
      data: 'data:text/plain;base64,aGVsbG8=',
      outputType: 'resource',
    })

    expect(content).toEqual([
      {
        type: 'resource',
        resource: {
          uri: 'demo://resource/session/README.md.gz',
          mimeType: 'application/gzip',
          blob: expect.any(String) as string,
        },
      },
    ])
  })

  test.each([
    ['http://127.0.0.1:1/secret', 'is not fetched'],
    ['ftp://example.com/x', 'Only http, https, and data URLs are supported.'],
  ])('gzip-file-as-resource refuses %s', async (data, why) => {
    await using client = await open()

    const result = await client.callTool('gzip-file-as-resource', { data })

    expect(result.isError).toBe(true)
    expect(textsOf(result)[0]).toContain(why)
  })

  test('trigger-long-running-operation tells its progress', async () => {
    await using client = await open()
    const told: Progress[] = []

    const result = await client.callTool(
      'trigger-long-running-operation',
      { duration: 0.02, steps: 2 },
      { onProgress: (progress) => told.push(progress) },
    )

    expect(textsOf(result)).toEqual([
      'Long running operation completed. Duration: 0.02 seconds, Steps: 2.',
    ])
    expect(told).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
  })

  test('toggle-simulated-logging adds a message to each call until it is turned off', async () => {
    const logged: LogMessage[] = []
    await using client = await open({ onLog: (message) => logged.push(message) })
    await client.setLoggingLevel('debug')

    await client.callTool('toggle-simulated-logging')
    expect(logged).toHaveLength(1)
    await client.callTool('echo', { message: 'x' })
    expect(logged).toHaveLength(2)
    await client.callTool('toggle-simulated-logging')
    await client.callTool('echo', { message: 'x' })

    expect(logged).toHaveLength(2)
    expect(logged[0]?.data).toMatch(/^[A-Z][a-z]+-level message$/)
  })

  test('toggle-subscriber-updates pretends that followed resources change', async () => {
    await using client = await open({}, { updateEveryMs: 5 })
    const uri = 'demo://resource/dynamic/text/7'
    await using changes = await client.listen({ resourceSubscriptions: [uri] })

    await client.callTool('toggle-subscriber-updates')

    let received = 0
    for await (const change of changes) {
      expect(change).toEqual({ type: 'resource', uri })
      received += 1
      if (received === 3) break
    }
    const stopped = await client.callTool('toggle-subscriber-updates')
    expect(textsOf(stopped)[0]).toMatch(/^Stopped/)
  })
})
