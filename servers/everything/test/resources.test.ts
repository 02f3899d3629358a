import { createTestClient, testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
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

/** Two clients that have nothing to do with each other: by session, or where there is none by who they are. */
const strangers = [
  ['sessions', '2025-11-25', undefined, undefined],
  ['verified callers', '2026-07-28', testAuth({ subject: 'ada' }), testAuth({ subject: 'bob' })],
] as const

test.each(strangers)('%s do not see the files and toggles of each other', async (...who) => {
  const [, revision, adasAuth, bobsAuth] = who
  const server = createEverythingServer()
  const logged: unknown[] = []
  const onLog = (message: unknown): void => void logged.push(message)
  await using ada = await createTestClient(server, { revision, caller: adasAuth })
  await using bob = await createTestClient(server, { revision, caller: bobsAuth, onLog })
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

test('without a session, callers nobody verified share what they make', async () => {
  const server = createEverythingServer()
  const revision = '2026-07-28'
  await using ada = await createTestClient(server, { revision })
  await using bob = await createTestClient(server, { revision })
  await using eve = await createTestClient(server, { revision, caller: testAuth() })

  await ada.callTool('gzip-file-as-resource', { name: 'ada.gz', data: 'data:,x' })

  expect(await bob.listResources().toArray()).toContainEqual(
    expect.objectContaining({ uri: 'demo://resource/session/ada.gz' }),
  )
  expect(await eve.listResources().toArray()).toHaveLength(7)
})

test.each(triedRevisions)('the fifty newest files are kept, in %s', async (revision) => {
  await using client = await createTestClient(createEverythingServer(), { revision })

  for (let number = 0; number <= 50; number += 1) {
    await client.callTool('gzip-file-as-resource', { name: `${number}.gz`, data: 'data:,x' })
  }

  const names = (await client.listResources().toArray()).map(({ name }) => name)
  expect(names).toHaveLength(7 + 50)
  expect(names).not.toContain('0.gz')
  expect(names).toContain('50.gz')
})
