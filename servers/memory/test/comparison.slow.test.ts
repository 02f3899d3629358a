import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { connect, type Client } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { entity, entityLine, freshFile, relation } from './support.ts'

const official = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-memory/dist/index.js',
)
const ours = fileURLToPath(new URL('../dist/main.js', import.meta.url))

function start(program: string, file: string): Promise<Client> {
  const env = { MEMORY_FILE_PATH: file }
  return connect({ command: execPath, args: [program], env }, { protocolVersion: '2025-11-25' })
}

const fact = (entityName: string, ...contents: string[]) => ({ entityName, contents })
const facts = (entityName: string, ...observations: string[]) => ({ entityName, observations })
type Call = readonly [tool: string, args: object]

/** One conversation; each call depends on those before it. */
const calls: readonly Call[] = [
  ['read_graph', {}],
  ['search_nodes', { query: 'nobody' }],
  ['open_nodes', { names: ['nobody'] }],
  ['create_entities', { entities: [] }],
  ['create_entities', { entities: [entity('Ada', 'person', 'mathematician', 'mathematician')] }],
  ['create_entities', { entities: [entity('Ada', 'town')] }],
  [
    'create_entities',
    { entities: [entity('Bob', 'person'), entity('Engine', 'machine', 'steam')] },
  ],
  [
    'create_entities',
    { entities: [entity('', ''), entity('__proto__', 'constructor', 'toString')] },
  ],
  ['create_entities', { entities: [entity('Łódź 🚂', 'town', 'a\nb\t"c"\\', '\u2028')] }],
  ['create_entities', { entities: [{ ...entity('Extra'), more: true }] }],
  ['read_graph', {}],
  ['create_relations', { relations: [] }],
  ['create_relations', { relations: [relation('Ada', 'programs', 'Engine')] }],
  ['create_relations', { relations: [relation('Ada', 'programs', 'Engine')] }],
  [
    'create_relations',
    { relations: [relation('Bob', 'drives', 'Engine'), relation('Engine', 'is in', 'Łódź 🚂')] },
  ],
  [
    'create_relations',
    { relations: [relation('Nobody', 'knows', 'Noone'), relation('Ada', 'is', 'Ada')] },
  ],
  ['read_graph', {}],
  ['add_observations', { observations: [] }],
  ['add_observations', { observations: [fact('Ada', 'countess')] }],
  ['add_observations', { observations: [fact('Ada', 'countess', 'poet')] }],
  ['add_observations', { observations: [fact('Bob', 'a'), fact('Engine')] }],
  ['add_observations', { observations: [fact('Ghost', 'boo')] }],
  ['add_observations', { observations: [fact('Bob', 'lost'), fact('Ghost', 'boo')] }],
  ['open_nodes', { names: ['Bob'] }],
  ['open_nodes', { names: ['Engine', 'Ada', 'Ada', 'Ghost'] }],
  ['open_nodes', { names: ['Nobody'] }],
  ['open_nodes', { names: [] }],
  ['search_nodes', { query: '' }],
  ['search_nodes', { query: 'ADA' }],
  ['search_nodes', { query: 'machine' }],
  ['search_nodes', { query: 'COUNT' }],
  ['search_nodes', { query: 'łódź' }],
  ['search_nodes', { query: 'drives' }],
  ['search_nodes', { query: 'a\nb' }],
  ['delete_observations', { deletions: [] }],
  ['delete_observations', { deletions: [facts('Ada', 'mathematician')] }],
  ['delete_observations', { deletions: [facts('Ghost', 'boo'), facts('Ada', 'nothing')] }],
  ['open_nodes', { names: ['Ada'] }],
  ['delete_relations', { relations: [relation('Ada', 'programs', 'Bob')] }],
  [
    'delete_relations',
    { relations: [relation('Bob', 'drives', 'Engine'), relation('Ada', 'is', 'Ada')] },
  ],
  ['read_graph', {}],
  ['delete_entities', { entityNames: [] }],
  ['delete_entities', { entityNames: ['Ghost'] }],
  ['delete_entities', { entityNames: ['Engine', 'Engine'] }],
  ['read_graph', {}],
  ['create_entities', { entities: [entity('Engine', 'machine', 'again')] }],
  ['search_nodes', { query: 'again' }],
  ['delete_entities', { entityNames: ['Ada', 'Bob', '', '__proto__', 'Łódź 🚂', 'Extra'] }],
  ['read_graph', {}],
  ['delete_entities', { entityNames: ['Engine', 'Nobody'] }],
  ['read_graph', {}],
]

describe('the official server and ours', () => {
  test(`answer ${calls.length} calls the same, and leave the same file`, async () => {
    const files = [await freshFile(), await freshFile()] as const
    await using theirs = await start(official, files[0])
    await using mine = await start(ours, files[1])

    for (const [tool, args] of calls) {
      const expected = await theirs.callTool(tool, args)
      const answer = await mine.callTool(tool, args)
      expect(answer, `${tool} ${JSON.stringify(args)}`).toEqual(expected)
      expect(linesOf(await readFile(files[1], 'utf8').catch(() => '')), tool).toEqual(
        linesOf(await readFile(files[0], 'utf8').catch(() => '')),
      )
    }

    const uri = 'memory://knowledge-graph'
    expect(await mine.readResource(uri)).toEqual(await theirs.readResource(uri))
    expect(calls.length).toBeGreaterThanOrEqual(45)
  })

  test('read and change each other’s file', async () => {
    const file = await freshFile()
    await writeFile(file, entityLine('Seed')) // as the official one ends a file
    await using theirs = await start(official, file)
    await using mine = await start(ours, file)

    await theirs.callTool('create_entities', { entities: [entity('Theirs', 'x', 'one')] })
    await mine.callTool('create_entities', { entities: [entity('Mine', 'x', 'two')] })
    await theirs.callTool('create_relations', { relations: [relation('Theirs', 'knows', 'Mine')] })
    await mine.callTool('add_observations', { observations: [fact('Theirs', 'three')] })
    await theirs.callTool('add_observations', { observations: [fact('Mine', 'four')] })
    await mine.callTool('delete_entities', { entityNames: ['Seed'] })

    const expected = {
      entities: [entity('Theirs', 'x', 'one', 'three'), entity('Mine', 'x', 'two', 'four')],
      relations: [relation('Theirs', 'knows', 'Mine')],
    }
    expect((await theirs.callTool('read_graph')).structuredContent).toEqual(expected)
    expect((await mine.callTool('read_graph')).structuredContent).toEqual(expected)
  })

  test('differ where a call has something twice: ours adds it once', async () => {
    await using theirs = await start(official, await freshFile())
    await using mine = await start(ours, await freshFile())
    const twice = { entities: [entity('Ada'), entity('Ada')] }

    expect((await theirs.callTool('create_entities', twice)).structuredContent).toEqual(twice)
    expect((await mine.callTool('create_entities', twice)).structuredContent).toEqual({
      entities: [entity('Ada')],
    })
  })
})

/** Entities before relations, as the original writes them; ours appends. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const isRelation = (line: string) => line.startsWith('{"type":"relation"')
  return [...lines.filter((line) => !isRelation(line)), ...lines.filter(isRelation)]
}
