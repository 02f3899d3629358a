import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createMemoryNotes, createNotesServer } from '../resources.ts'

const open = () =>
  createTestClient(createNotesServer(createMemoryNotes({ milk: 'buy milk', mail: 'write back' })))

test('lists the members of the template after the fixed resource', async () => {
  await using client = await open()

  const resources = await client.listResources().toArray()
  const templates = await client.listResourceTemplates().toArray()

  expect(resources.map(({ uri }) => uri)).toEqual(['notes://index', 'notes://milk', 'notes://mail'])
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['notes://{id}{?format}'])
})

test('reads a note as text, and as JSON when the query asks for it', async () => {
  await using client = await open()

  const { contents: plain } = await client.readResource('notes://milk')
  const { contents: asJson } = await client.readResource('notes://milk?format=json')

  expect(plain).toEqual([{ uri: 'notes://milk', mimeType: 'text/plain', text: 'buy milk' }])
  expect(asJson).toMatchObject([
    { mimeType: 'application/json', text: '{"id":"milk","text":"buy milk"}' },
  ])
})

test('says that a note is not there', async () => {
  await using client = await open()

  await expect(client.readResource('notes://none')).rejects.toMatchObject({
    code: 'resource_not_found',
    data: { uri: 'notes://none' },
  })
})

test('completes the id and the format', async () => {
  await using client = await open()
  const ref = { type: 'ref/resource', uri: 'notes://{id}{?format}' } as const

  const ids = await client.complete(ref, { name: 'id', value: 'm' })
  const formats = await client.complete(ref, { name: 'format', value: 'j' })

  expect(ids.values).toEqual(['milk', 'mail'])
  expect(formats.values).toEqual(['json'])
})

test('tells those who follow a note, and those who follow the list', async () => {
  await using client = await open()
  await using changes = await client.listen({
    resourcesListChanged: true,
    resourceSubscriptions: ['notes://milk'],
  })
  const reader = changes[Symbol.asyncIterator]()

  await client.callTool('write_note', { id: 'milk', text: 'buy oat milk' })
  const first = await reader.next()
  await client.callTool('write_note', { id: 'new', text: 'hello' })
  const second = await reader.next()

  expect([first.value, second.value]).toEqual([
    { type: 'resource', uri: 'notes://milk' },
    { type: 'resources' },
  ])
})
