import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { everyKind, openDatabases, type Databases } from '../databases.ts'
import { documentOf, openRegistry, versionsIn, type TestRegistry } from '../registry-under-test.ts'

describe.each(everyKind)('searching on %s', (kind) => {
  let databases: Databases
  let registry: TestRegistry
  const npm = (identifier: string) => ({
    registryType: 'npm',
    identifier,
    version: '1.0.0',
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    environmentVariables: [{ name: 'KEY', isSecret: true }],
  })

  beforeAll(async () => {
    databases = await openDatabases(kind)
    registry = await openRegistry({ database: await databases.create() })
    const published = [
      documentOf('com.example/maps', '1.0.0', { description: 'Old maps' }),
      documentOf('com.example/maps', '2.0.0', { description: 'Routes and places' }),
      documentOf('com.example/weather', '1.0.0', { packages: [npm('@x/forecast')] }),
      documentOf('org.other/forecasts', '1.0.0', {
        title: 'Weather Forecasts',
        description: 'Météo of the world',
        remotes: [{ type: 'sse', url: 'https://weather.example.org' }],
      }),
      documentOf('org.other/travel', '1.0.0', { description: 'Trips, by weather' }),
      documentOf('org.other/gone', '1.0.0', { description: 'weather' }),
    ]
    for (const document of published) {
      expect((await registry.publish(document)).status).toBe(200)
    }
    await registry.ask('servers/org.other%2Fgone/status', {
      method: 'PATCH',
      body: { status: 'deleted' },
    })
  })
  afterAll(async () => {
    await registry[Symbol.asyncDispose]()
    await databases[Symbol.asyncDispose]()
  })

  const found = async (query: string) =>
    versionsIn(await registry.ask(`x/search?${query}`)).map((one) => one.replace(/@.*/, ''))

  it('ranks names over titles over descriptions [REG-03]', async () => {
    expect(await found('q=weather')).toEqual([
      'com.example/weather',
      'org.other/forecasts',
      'org.other/travel',
    ])
  })

  it('orders all servers, or the matches of words, by name or by publication', async () => {
    const [all, newest] = [await found('sort=name'), await found('sort=newest')]
    expect(all).toEqual(all.toSorted())
    expect(newest.toSorted()).toEqual(all)
    expect([newest.at(0), newest.at(-1)]).toEqual(['org.other/travel', 'com.example/maps'])

    expect(await found('q=weather&sort=newest')).toEqual([
      'org.other/travel',
      'org.other/forecasts',
      'com.example/weather',
    ])
    expect((await registry.ask('x/search?sort=size')).status).toBe(422)
  })

  it.each([
    ['q=wea', ['com.example/weather', 'org.other/forecasts', 'org.other/travel']],
    ['q=WORLD+forec', ['org.other/forecasts']],
    ['q=routes', ['com.example/maps']],
    ['q=old', []],
    ['q=x', ['com.example/weather']],
    ['q=weather&remote=yes', ['org.other/forecasts']],
    ['q=weather&registryType=npm&secrets=yes', ['com.example/weather']],
    ['publisher=com.example', ['com.example/weather', 'com.example/maps']],
    ['q=weather&limit=1&offset=1', ['org.other/forecasts']],
    ['q="weather" OR NOT *', []],
    [
      "q=weather'%20%26%20!%20|",
      ['com.example/weather', 'org.other/forecasts', 'org.other/travel'],
    ],
    ["publisher=x' or '1'='1", []],
  ])('finds by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('counts what matches could be narrowed down by', async () => {
    const { body } = await registry.ask('x/search?q=weather')
    expect(body).toMatchObject({
      facets: {
        registryType: [{ value: 'npm', count: 1 }],
        transport: [
          { value: 'sse', count: 1 },
          { value: 'stdio', count: 1 },
        ],
        remote: [
          { value: 'no', count: 2 },
          { value: 'yes', count: 1 },
        ],
        publisher: [
          { value: 'org.other', count: 2 },
          { value: 'com.example', count: 1 },
        ],
      },
      metadata: { count: 3, total: 3, hasMore: false },
    })
  })

  it('suggests names for what was typed', async () => {
    const { body } = await registry.ask('x/suggest?q=fore')
    expect(body).toEqual({
      suggestions: [{ name: 'org.other/forecasts', title: 'Weather Forecasts' }],
    })
    expect((await registry.ask('x/suggest?q=')).body).toEqual({ suggestions: [] })
  })

  it('refuses what it does not know', async () => {
    expect((await registry.ask('x/search?registrytype=npm')).status).toBe(400)
    expect((await registry.ask('x/search?offset=-1')).status).toBe(422)
  })
})

it('ranks the newest matches of a word that many have, and whole words before beginnings', async () => {
  await using registry = await openRegistry({ database: ':memory:' })
  const documents = Array.from({ length: 520 }, (_, at) =>
    documentOf(`com.many/server-${String(at).padStart(4, '0')}`, '1.0.0', {
      description: 'A common word',
    }),
  )
  await registry.registry.importDocuments([
    ...documents.slice(0, 510),
    documentOf('com.example/commonplace', '1.0.0', { description: 'Begins so' }),
    documentOf('com.example/common', '1.0.0', { description: 'Is so' }),
    ...documents.slice(510),
  ])

  const answer = await registry.ask('x/search?q=common&limit=2')

  expect(answer.body).toMatchObject({ metadata: { count: 2, total: 500, hasMore: true } })
  expect(versionsIn(answer)).toEqual(['com.example/common@1.0.0*', 'com.many/server-0519@1.0.0*'])
  expect(versionsIn(await registry.ask('x/search?q=commonp'))).toEqual([
    'com.example/commonplace@1.0.0*',
  ])
})
