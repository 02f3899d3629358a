import { readFileSync } from 'node:fs'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { catalogue } from '../../bench/catalogue.mjs'
import { openDatabase } from '../../src/storage/open-database.ts'
import { kinds, openDatabases, type Databases } from '../databases.ts'
import { documentOf, openRegistry, versionsIn, type TestRegistry } from '../registry-under-test.ts'

const queriesFile = new URL('../../bench/search-queries.json', import.meta.url)
const queries = JSON.parse(readFileSync(queriesFile, 'utf8')) as readonly {
  readonly q: string
  readonly first: readonly string[]
}[] // a file of ours

async function search(registry: TestRegistry, q: string): Promise<readonly string[]> {
  const answer = await registry.ask(`x/search?q=${encodeURIComponent(q)}`)
  return versionsIn(answer).map((one) => one.replace(/@.*/, ''))
}

describe.each(kinds)('a catalogue of 600 servers on %s', (kind) => {
  let databases: Databases
  let registry: TestRegistry

  beforeAll(async () => {
    databases = await openDatabases(kind)
    registry = await openRegistry({ database: await databases.create() })
    await registry.registry.importDocuments(catalogue(600))
  })
  afterAll(async () => {
    await registry[Symbol.asyncDispose]()
    await databases[Symbol.asyncDispose]()
  })

  it('answers each query of the relevance set with the expected servers first', async () => {
    const found: { q: string; first: readonly string[] }[] = []
    for (const { q, first } of queries) {
      found.push({ q, first: (await search(registry, q)).slice(0, first.length) })
    }

    expect(found).toEqual(queries)
  })

  it('completes a word that is being typed with names only', async () => {
    const { body } = await registry.ask('x/suggest?q=kuber')

    expect(body).toMatchObject({
      suggestions: [{ name: 'io.kubernetes-tools/kubernetes', title: 'Kubernetes' }],
    })
  })
})

it.each(kinds)('a database from before the index of terms is searchable on %s', async (kind) => {
  await using databases = await openDatabases(kind)
  const address = await databases.create()
  {
    await using registry = await openRegistry({ database: address })
    await registry.registry.importDocuments([documentOf('com.example/weather', '1.0.0')])
  }
  {
    // Back to the tables of the step before.
    await using database = await openDatabase(address)
    for (const table of ['server_listed', 'server_terms', 'search_words', 'search_spellings']) {
      await sql`drop table ${sql.table(table)}`.execute(database.queries)
    }
    await sql`create table server_words (id integer)`.execute(database.queries)
    await sql`create table server_listed (id integer)`.execute(database.queries)
    await sql`delete from kysely_migration where name = '004-search'`.execute(database.queries)
  }

  await using registry = await openRegistry({ database: address })

  expect(await search(registry, 'weather')).toEqual(['com.example/weather'])
})

it('a name that is spelled wrong on purpose does not hide the right one', async () => {
  await using registry = await openRegistry({ database: ':memory:' })
  await registry.registry.importDocuments([
    documentOf('com.example/postgres', '1.0.0'),
    documentOf('com.evil/postgress', '1.0.0'),
  ])

  expect(await search(registry, 'postgress')).toEqual([
    'com.evil/postgress',
    'com.example/postgres',
  ])
})

it('the owner of the domain comes before copies of the name', async () => {
  await using registry = await openRegistry({ database: ':memory:' })
  const copies = Array.from({ length: 600 }, (_, at) =>
    documentOf(`io.github.user${at}/github`, '1.0.0', { title: 'GitHub' }),
  )
  await registry.registry.importDocuments([
    documentOf('com.github/github-mcp-server', '1.0.0', { title: 'GitHub' }),
    ...copies,
  ])

  expect((await search(registry, 'github'))[0]).toBe('com.github/github-mcp-server')
})

it('filters a common word by a rare facet', async () => {
  await using registry = await openRegistry({ database: ':memory:' })
  const remotes = [{ type: 'sse', url: 'https://one.example.org' }]
  await registry.registry.importDocuments([
    documentOf('com.example/one', '1.0.0', { description: 'weather far away', remotes }),
    ...Array.from({ length: 30 }, (_, at) => documentOf(`com.many/weather-${at}`, '1.0.0')),
  ])

  expect(await search(registry, 'weather&remote=yes')).toEqual([])
  const answer = await registry.ask('x/search?q=weather&remote=yes')
  expect(versionsIn(answer)).toEqual(['com.example/one@1.0.0*'])
})
