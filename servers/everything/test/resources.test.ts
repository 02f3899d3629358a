import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createEverythingServer } from '../src/everything.ts'
import { inEveryRevision } from './support.ts'

inEveryRevision((open) => {
  test('reads a document', async () => {
    await using client = await open()

    const { contents } = await client.readResource(
      'demo://resource/static/document/architecture.md',
    )

    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringMatching(/^# Architecture/) as string },
    ])
  })

  test('makes text and binary resources for any positive integer', async () => {
    await using client = await open()

    const text = await client.readResource('demo://resource/dynamic/text/12')
    const blob = await client.readResource('demo://resource/dynamic/blob/12')

    expect(text.contents).toMatchObject([
      { mimeType: 'text/plain', text: expect.stringContaining('Resource 12: ') as string },
    ])
    const [first] = blob.contents
    const bytes = Buffer.from(first && 'blob' in first ? first.blob : '', 'base64')
    expect(bytes.toString()).toContain('Resource 12: This is a base64 blob created at')
  })

  test.each(['0', '-1', 'one', '1e3', '1.5'])('there is no resource %s', async (id) => {
    await using client = await open()

    await expect(client.readResource(`demo://resource/dynamic/text/${id}`)).rejects.toMatchObject({
      code: 'resource_not_found',
    })
  })

  test('completes an id to itself', async () => {
    await using client = await open()
    const ref = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' } as const

    const { values } = await client.complete(ref, { name: 'resourceId', value: '4' })

    expect(values).toEqual(['4'])
  })
})

test('sessions of one server do not see the files and toggles of each other', async () => {
  const server = createEverythingServer()
  const logged: unknown[] = []
  await using ada = await createTestClient(server)
  await using bob = await createTestClient(server, { onLog: (message) => logged.push(message) })
  await bob.setLoggingLevel('debug')

  await ada.callTool('gzip-file-as-resource', { name: 'ada.gz', data: 'data:,x' })
  await ada.callTool('toggle-simulated-logging')
  await bob.callTool('echo', { message: 'quiet here' })

  const uri = 'demo://resource/session/ada.gz'
  await expect(ada.readResource(uri)).resolves.toMatchObject({ contents: [{ uri }] })
  await expect(bob.readResource(uri)).rejects.toMatchObject({ code: 'resource_not_found' })
  expect(await bob.listResources().toArray()).toHaveLength(7)
  expect(logged).toEqual([])
})

test('a session keeps its fifty newest files', async () => {
  await using client = await createTestClient(createEverythingServer())

  for (let number = 0; number <= 50; number += 1) {
    await client.callTool('gzip-file-as-resource', { name: `${number}.gz`, data: 'data:,x' })
  }

  const names = (await client.listResources().toArray()).map(({ name }) => name)
  expect(names).toHaveLength(7 + 50)
  expect(names).not.toContain('0.gz')
  expect(names).toContain('50.gz')
})
