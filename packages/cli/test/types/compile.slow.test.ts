import { readFileSync } from 'node:fs'

import type { JsonObject } from '@parley/mcp'
import { compileJsonSchema } from '@parley/mcp'
import { createNamedTypes, typeOfSchema } from '@parley/tools/types'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { moduleStyle, writeTypes } from '../../src/types/write-types.ts'
import { folderBelowRepository } from '../below-repository.ts'
import { compileGroups } from './compile.ts'
import { hostileSurface } from './hostile-surface.ts'
import { schemasWithValues } from './schemas-with-values.ts'

const golden = (name: string) =>
  readFileSync(new URL(`golden/${name}.txt`, import.meta.url), 'utf8')

const use = `import { connect, toolOutput } from '@parley/mcp/client'
import type { Tools } from './types.ts'

await using client = await connect<Tools>('http://127.0.0.1:1/mcp')
const weather = await client.callTool('get-structured-content', { location: 'Chicago' })
const degrees: number = toolOutput(weather).temperature
await client.callTool('get-env')
await client.callTool('get-sum', { a: degrees, b: 1 })
`

const tree: JsonObject = {
  type: 'object',
  properties: {
    root: { $ref: '#/$defs/node' },
    json: { $ref: '#/$defs/json' },
    inside: { $ref: '#' },
  },
  required: ['root'],
  $defs: {
    node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
        json: { $ref: '#/$defs/json' },
      },
      required: ['name'],
    },
    json: {
      anyOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'array', items: { $ref: '#/$defs/json' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
      ],
    },
  },
}

const grow = `import { connect, toolOutput } from '@parley/mcp/client'
import type { Node, Tools } from './types.ts'

await using client = await connect<Tools>('http://127.0.0.1:1/mcp')
const leaf: Node = { name: 'leaf', json: [1, { a: [null] }] }
const root = { name: 'root', children: [{ name: 'branch', children: [leaf] }] }
const grown = await client.callTool('grow', { root, inside: { root, json: { deep: [[true]] } } })
const name: string | undefined = toolOutput(grown).root.children?.[0]?.children?.[0]?.name
`

const wrongUses = [
  ["await client.callTool('get-some', { a: 1, b: 2 })", 'get-some'],
  ["await client.callTool('get-sum', { a: 1 })", "'b'"],
  ["await client.callTool('get-sum', { a: 1, b: 2, c: 3 })", "'c'"],
  ["await client.callTool('get-sum', { a: '1', b: 2 })", "'string'"],
  ["await client.callTool('get-structured-content', { location: 'Oslo' })", 'Oslo'],
  ["await client.callTool('echo')", 'arguments'],
  ['toolOutput(weather).celsius', 'celsius'],
] as const

const growing = [
  ['', ''],
  ['const nameless: Node = { name: "a", children: [{ name: "b", children: [{}] }] }', "'name'"],
  ['const dated: Node = { name: "a", json: { at: [{ of: new Date() }] } }', 'of: Date'],
  ["await client.callTool('grow', { root, inside: { root: { name: 1 } } })", "'number'"],
  ["await client.callTool('grow', { root, inside: { root, inside: {} } })", "'root'"],
] as const

const valued = fc
  .sample(schemasWithValues, { numRuns: 400 })
  .filter(([schema, value]) => compileJsonSchema(schema)(value) === undefined)

function assignments(): string {
  const lines = valued.map(([schema, value], at) => {
    const { text } = typeOfSchema(schema, createNamedTypes(moduleStyle))
    return `const value${at} = [${JSON.stringify(value)}] as const\nexport const typed${at}: ${text} = value${at}[0]`
  })
  return `${lines.join('\n')}\n`
}

function refusals(): string {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'number' } },
      kind: { enum: ['a', 'b'] },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['kind'],
  }
  const wrong = ['{}', '{ kind: "c" }', '{ kind: "a", list: ["1"] }', '{ kind: "a", either: 1 }']
  const lines = wrong.map(
    (value, at) =>
      `// @ts-expect-error\nexport const wrong${at}: Typed = JSON.parse('0') as never as typeof value${at}\nconst value${at} = ${value} as const`,
  )
  return `type Typed = ${typeOfSchema(schema, createNamedTypes(moduleStyle)).text}\n${lines.join('\n')}\n`
}

const grower = { name: 'grow', inputSchema: tree, outputSchema: tree }
const treeTypes = writeTypes({ server: 's', tools: [grower], prompts: [] })

/** What the compiler says, by the name of what it says it about. */
let said: ReadonlyMap<string, string>
const folder = folderBelowRepository(afterAll)
beforeAll(async () => {
  const users = ['everything', 'official-everything'].map(
    (name) => [name, { 'types.ts': golden(name), 'use.ts': use }] as const,
  )
  const wrong = wrongUses.map(
    ([line]) => [line, { 'types.ts': golden('everything'), 'use.ts': `${use}${line}\n` }] as const,
  )
  const grown = growing.map(
    ([line]) =>
      [
        `grow ${line}`,
        { 'types.ts': treeTypes, 'use.ts': `${grow}${line}\nexport { name }\n` },
      ] as const,
  )
  const groups = {
    written: {
      'ours.ts': golden('everything'),
      'official.ts': golden('official-everything'),
      'hostile.ts': writeTypes(hostileSurface),
      'empty.ts': writeTypes({ server: '', tools: [], prompts: [] }),
    },
    values: { 'values.ts': assignments() },
    refusals: { 'wrong.ts': refusals() },
    ...Object.fromEntries([...users, ...wrong, ...grown]),
  }
  said = await compileGroups(groups, folder)
})

test('what is written compiles, whoever the server is', () => {
  expect(said.get('written')).toBe('')
})

test.each(['everything', 'official-everything'])(
  'connect<Tools> knows names, arguments and results of %s',
  (name) => {
    expect(said.get(name)).toBe('')
  },
)

test.each(wrongUses)('%s does not compile', (line, words) => {
  const errors = said.get(line) ?? ''

  expect(errors.match(/error TS/g)).toHaveLength(1)
  expect(errors).toContain(words)
})

test('a type accepts every value that its schema does', () => {
  expect(valued.length).toBeGreaterThan(200)
  expect(said.get('values')).toBe('')
})

test.each(growing)(
  'schemas that contain themselves are known at every level: %s',
  (line, words) => {
    const errors = said.get(`grow ${line}`) ?? ''

    expect(errors.match(/error TS/g) ?? []).toHaveLength(line === '' ? 0 : 1)
    expect(errors).toContain(words)
  },
)

test('a type of a list, an object or a choice refuses what its schema does', () => {
  expect(said.get('refusals')).toBe('')
})
