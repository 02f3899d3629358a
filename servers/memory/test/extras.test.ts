import { readFile } from 'node:fs/promises'

import { expect, test, vi } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { extras } from '../src/memory.ts'
import { entity, entityLine, openMemory, relation, textsOf } from './support.ts'

const team = [
  entity('Ada', 'person', 'likes engines'),
  entity('Bob', 'person', 'likes tea', 'engine driver'),
  entity('Engine', 'machine', 'steam'),
  entity('London', 'town'),
]
const relations = [
  relation('Ada', 'programs', 'Engine'),
  relation('Bob', 'drives', 'Engine'),
  relation('Engine', 'stands in', 'London'),
]

async function openTeam(enable: (typeof extras)[number][]) {
  const client = await openMemory({ enable })
  await client.callTool('create_entities', { entities: team })
  await client.callTool('create_relations', { relations })
  return client
}

function namesIn({ structuredContent }: { readonly structuredContent?: unknown }) {
  const { entities } = structuredContent as { entities: { name: string }[] } // an answer of ours
  return entities.map(({ name }) => name)
}

test('ranks what it finds and gives it page by page, whatever is added meanwhile', async () => {
  await using client = await openTeam(['search'])

  const first = await client.callTool('search_nodes', { query: 'engine', limit: 1 })
  const { nextCursor } = first.structuredContent as { nextCursor: string }
  await client.callTool('create_entities', { entities: [entity('Engine room', 'room', 'engine')] })
  const rest = await client.callTool('search_nodes', {
    query: 'engine',
    limit: 9,
    cursor: nextCursor,
  })
  const wrong = await client.callTool('search_nodes', { query: 'tea', cursor: nextCursor })
  const both = await client.callTool('search_nodes', { query: 'LIKES tea', limit: 5 })

  expect(namesIn(first)).toEqual(['Engine'])
  expect(namesIn(rest)).toEqual(['Engine room', 'Ada', 'Bob'])
  expect(rest.structuredContent).not.toHaveProperty('nextCursor')
  expect(textsOf(wrong)).toEqual([
    'That cursor is not from an answer to this query. Leave it out to start again.',
  ])
  expect(namesIn(both)).toEqual(['Bob'])
})

test('gives what is around an entity', async () => {
  await using client = await openTeam(['depth'])

  const alone = await client.callTool('open_nodes', { names: ['Ada'] })
  const near = await client.callTool('open_nodes', { names: ['Ada'], depth: 1 })
  const far = await client.callTool('search_nodes', { query: 'ada', depth: 2 })

  expect(namesIn(alone)).toEqual(['Ada'])
  expect(namesIn(near)).toEqual(['Ada', 'Engine'])
  expect(namesIn(far)).toEqual(['Ada', 'Bob', 'Engine', 'London'])
})

test('gives an entity another name, and its relations follow', async () => {
  await using client = await openTeam(['update'])

  await client.callTool('update_entity', {
    name: 'Engine',
    newName: 'Analytical Engine',
    entityType: 'computer',
  })
  const taken = await client.callTool('update_entity', { name: 'Ada', newName: 'Bob' })
  const found = await client.callTool('open_nodes', { names: ['Analytical Engine'] })

  expect(found.structuredContent).toEqual({
    entities: [entity('Analytical Engine', 'computer', 'steam')],
    relations: [
      relation('Ada', 'programs', 'Analytical Engine'),
      relation('Bob', 'drives', 'Analytical Engine'),
      relation('Analytical Engine', 'stands in', 'London'),
    ],
  })
  expect(textsOf(taken)[0]).toContain('merge them instead')
})

test('makes several entities one', async () => {
  await using client = await openTeam(['merge'])
  await client.callTool('create_relations', {
    relations: [relation('Ada', 'knows', 'Bob'), relation('Bob', 'programs', 'Engine')],
  })

  const merged = await client.callTool('merge_entities', { into: 'Ada', names: ['Bob', 'Ada'] })
  const graph = await client.callTool('read_graph')

  expect(merged.structuredContent).toEqual(
    entity('Ada', 'person', 'likes engines', 'likes tea', 'engine driver'),
  )
  expect(graph.structuredContent).toMatchObject({
    relations: [
      relation('Ada', 'programs', 'Engine'),
      relation('Ada', 'drives', 'Engine'),
      relation('Engine', 'stands in', 'London'),
    ],
  })
})

test('exports what another memory imports, all or nothing', async () => {
  await using from = await openTeam(['export'])
  await using to = await openMemory({ enable: ['export'] })
  await to.callTool('create_entities', { entities: [entity('Ada', 'person', 'countess')] })

  const { structuredContent } = await from.callTool('export_graph')
  const { lines } = structuredContent as { lines: string }
  const broken = await to.callTool('import_graph', { lines: `${lines}nonsense` })
  const imported = await to.callTool('import_graph', { lines })
  const again = await to.callTool('import_graph', { lines })

  expect(textsOf(broken)).toEqual(['Line 8 is not an entity or relation. Nothing was imported.'])
  expect(imported.structuredContent).toEqual({ entities: 3, observations: 4, relations: 3 })
  expect(again.structuredContent).toEqual({ entities: 0, observations: 0, relations: 0 })
  expect(await readFile(to.file, 'utf8')).toContain(
    entityLine('Ada', 'person', 'countess', 'likes engines'),
  )
})

test('keeps several graphs apart', async () => {
  await using client = await openTeam(['graphs'])

  await client.callTool('create_entities', {
    entities: [entity('Milk', 'food')],
    graph: 'shopping',
  })
  const shopping = await client.callTool('read_graph', { graph: 'shopping' })
  const main = await client.callTool('read_graph')
  const { contents } = await client.readResource('memory://graphs/shopping')
  const listed = await client.callTool('list_graphs')
  const ref = { type: 'ref/resource' as const, uri: 'memory://graphs/{graph}' }
  const completed = await client.complete(ref, { name: 'graph', value: 'sh' })

  expect(namesIn(shopping)).toEqual(['Milk'])
  expect(namesIn(main)).toHaveLength(4)
  expect(JSON.stringify(contents)).toContain('Milk')
  expect(listed.structuredContent).toEqual({ graphs: ['shopping'] })
  expect(completed.values).toEqual(['shopping'])
})

test('everything together still lists and works', async () => {
  await using client = await openTeam([...extras])

  const names = (await client.listTools().toArray()).map(({ name }) => name)
  const found = await client.callTool('search_nodes', { query: 'steam' })

  expect(names).toHaveLength(14)
  expect(namesIn(found)).toEqual(['Engine'])
})

test('an entity is a resource by its name, with its relations; names are completed', async () => {
  await using client = await openTeam(['entities'])
  const odd = 'A/B ü?'
  await client.callTool('create_entities', { entities: [entity(odd)] })

  const [ada] = (await client.readResource('memory://entities/Ada')).contents
  const [other] = (await client.readResource(`memory://entities/${encodeURIComponent(odd)}`))
    .contents
  const { values } = await client.complete(
    { type: 'ref/resource', uri: 'memory://entities/{name}' },
    { name: 'name', value: 'en' },
  )

  expect(JSON.parse(ada && 'text' in ada ? ada.text : '')).toEqual({
    entities: [team[0]],
    relations: [relations[0]],
  })
  expect(JSON.parse(other && 'text' in other ? other.text : '')).toMatchObject({
    entities: [{ name: odd }],
  })
  expect(values).toEqual(['Engine'])
  await expect(client.readResource('memory://entities/Nobody')).rejects.toThrow(
    'there is no resource',
  )
})

test.each(triedRevisions.filter((revision) => revision >= '2025-11-25'))(
  'who follows an entity hears of what changes about it, and of nothing else, in %s',
  async (revision) => {
    await using client = await openMemory({ enable: ['entities'] }, { revision })
    await client.callTool('create_entities', { entities: team })
    const uri = 'memory://entities/Ada'
    await using changes = await client.listen({ resourceSubscriptions: [uri] })
    const received: unknown[] = []
    void (async () => {
      for await (const change of changes) received.push(change)
    })()

    await client.callTool('create_entities', { entities: [entity('Somebody else')] })
    await client.readResource(uri) // the graph was looked at before
    await client.idle()
    const before = received.length
    await client.callTool('create_relations', { relations })
    await vi.waitFor(() => expect(received).toEqual([{ type: 'resource', uri }]))

    expect(before).toBe(0)
  },
)
