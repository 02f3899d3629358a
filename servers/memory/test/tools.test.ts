import { readFile, writeFile } from 'node:fs/promises'

import { expect, test, vi } from 'vitest'

import {
  entity,
  entityLine,
  freshFile,
  inEveryRevision,
  openMemory,
  relation,
  textsOf,
} from './support.ts'

inEveryRevision((open, revision) => {
  const hasStructure = revision >= '2025-06-18'

  test('remembers, finds and forgets [REFS-05]', async () => {
    await using client = await open()

    const created = await client.callTool('create_entities', {
      entities: [entity('Ada', 'person', 'mathematician'), entity('Engine', 'machine')],
    })
    await client.callTool('create_relations', {
      relations: [relation('Ada', 'programs', 'Engine')],
    })
    const added = await client.callTool('add_observations', {
      observations: [{ entityName: 'Ada', contents: ['countess', 'mathematician'] }],
    })
    const found = await client.callTool('search_nodes', { query: 'COUNT' })
    await client.callTool('delete_entities', { entityNames: ['Engine'] })
    const left = await client.callTool('read_graph')

    expect(JSON.parse(textsOf(created)[0] ?? '')).toHaveLength(2)
    const results = [{ entityName: 'Ada', addedObservations: ['countess'] }]
    expect(textsOf(added)[0]).toBe(JSON.stringify(results, undefined, 2))
    if (hasStructure) expect(added.structuredContent).toEqual({ results })
    const ada = entity('Ada', 'person', 'mathematician', 'countess')
    expect(JSON.parse(textsOf(found)[0] ?? '')).toEqual({
      entities: [ada],
      relations: [relation('Ada', 'programs', 'Engine')],
    })
    expect(JSON.parse(textsOf(left)[0] ?? '')).toEqual({ entities: [ada], relations: [] })
  })

  test('tells who follows the graph of each change, and shows it', async () => {
    await using client = await open()
    const uri = 'memory://knowledge-graph'
    await using changes = await client.listen({ resourceSubscriptions: [uri] })

    await client.callTool('create_entities', { entities: [entity('Ada')] })

    for await (const change of changes) {
      expect(change).toEqual({ type: 'resource', uri })
      break
    }
    const { contents } = await client.readResource(uri)
    const graph = { entities: [entity('Ada')], relations: [] }
    expect(contents).toEqual([
      { uri, mimeType: 'application/json', text: JSON.stringify(graph, undefined, 2) },
    ])
  })
})

test('tells who follows the graph of what another process wrote', async () => {
  await using client = await openMemory()
  await using other = await openMemory({ file: client.file })
  const uri = 'memory://knowledge-graph'
  await client.callTool('create_entities', { entities: [entity('Ada')] })
  await using changes = await client.listen({ resourceSubscriptions: [uri] })
  await client.idle()

  await other.callTool('create_entities', { entities: [entity('Bob')] })

  for await (const change of changes) {
    expect(change).toEqual({ type: 'resource', uri })
    break
  }
})

test('an entity that is not there is an error, and nothing of the call is kept', async () => {
  await using client = await openMemory()
  await client.callTool('create_entities', { entities: [entity('Ada')] })

  const failed = await client.callTool('add_observations', {
    observations: [
      { entityName: 'Ada', contents: ['one'] },
      { entityName: 'Nobody', contents: ['two'] },
    ],
  })

  expect(failed.isError).toBe(true)
  expect(textsOf(failed)).toEqual(['Entity with name Nobody not found'])
  expect(await readFile(client.file, 'utf8')).toBe(`${entityLine('Ada')}\n`)
})

test('a name, a relation or a fact that a call has twice is added once', async () => {
  await using client = await openMemory()

  const entities = await client.callTool('create_entities', {
    entities: [entity('Ada'), entity('Ada', 'town')],
  })
  const relations = await client.callTool('create_relations', {
    relations: [relation('Ada', 'knows', 'Bob'), relation('Ada', 'knows', 'Bob')],
  })
  const facts = await client.callTool('add_observations', {
    observations: [
      { entityName: 'Ada', contents: ['one', 'one'] },
      { entityName: 'Ada', contents: ['one', 'two'] },
    ],
  })

  expect(entities.structuredContent).toEqual({ entities: [entity('Ada')] })
  expect(relations.structuredContent).toEqual({ relations: [relation('Ada', 'knows', 'Bob')] })
  expect(facts.structuredContent).toEqual({
    results: [
      { entityName: 'Ada', addedObservations: ['one'] },
      { entityName: 'Ada', addedObservations: ['two'] },
    ],
  })
})

test('a line that cannot be read fails no call, and is reported', async () => {
  const file = await freshFile()
  await writeFile(file, `${entityLine('Ada')}\n{"type":"entity","name":"half\n`)
  const onNotice = vi.fn<(notice: string) => void>()
  await using client = await openMemory({ file, onNotice })

  const read = await client.callTool('read_graph')
  await client.callTool('create_entities', { entities: [entity('Bob')] })

  expect(read.structuredContent).toEqual({ entities: [entity('Ada')], relations: [] })
  expect(onNotice.mock.calls.flat().join()).toContain('line 2 cannot be read')
  expect(await readFile(file, 'utf8')).toBe(`${entityLine('Ada')}\n${entityLine('Bob')}\n`)
  expect(await readFile(`${file}.unreadable`, 'utf8')).toContain('half')
})

test('what others keep in the file stays in it', async () => {
  const file = await freshFile()
  const dated =
    '{"type":"entity","name":"Ada","entityType":"person","observations":[],"since":1815}'
  await writeFile(file, `{"type":"settings","theme":"dark"}\n${dated}\n`)
  await using client = await openMemory({ file })

  await client.callTool('add_observations', {
    observations: [{ entityName: 'Ada', contents: ['one'] }],
  })

  expect((await readFile(file, 'utf8')).split('\n')).toEqual([
    '{"type":"settings","theme":"dark"}',
    dated.replace('[]', '["one"]'),
    '',
  ])
})

test('what the disk refuses is told, with the file and a cure', async () => {
  const file = await freshFile()
  await writeFile(file, `${entityLine('Ada')}\n`)
  await using client = await openMemory({ file: `${file}/memory.jsonl` })

  const read = await client.callTool('read_graph')
  const written = await client.callTool('create_entities', { entities: [entity('Bob')] })

  for (const { isError, content } of [read, written]) {
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toContain(`${file}/memory.jsonl cannot be used`)
  }
})
