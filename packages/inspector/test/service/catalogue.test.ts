import { createRegistry } from '@parley/registry'
import { openCatalogue, schemaUrl } from '@parley/registry/client'
import { describe, expect, onTestFinished, test } from 'vitest'

import { openPage, type PageClient } from './page-client.ts'

const weather = {
  $schema: schemaUrl,
  name: 'com.example/weather',
  title: 'Weather',
  description: 'Forecasts for any place',
  version: '1.2.0',
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/weather',
      version: '1.2.0',
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      environmentVariables: [
        { name: 'WEATHER_KEY', isRequired: true, isSecret: true },
        { name: 'REGION', choices: ['eu', 'us'], default: 'eu' },
      ],
    },
  ],
  remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
}

async function browse(
  options: { readonly noSpawn?: boolean } = {},
): Promise<{ readonly page: PageClient; readonly asked: readonly Request[] }> {
  const registry = await createRegistry({ database: ':memory:' })
  await registry.importDocuments([weather])
  const asked: Request[] = []
  const page = await openPage({
    ...options,
    openCatalogue: async (url) =>
      openCatalogue({
        url,
        env: { PARLEY_REGISTRY: 'http://registry.test', PARLEY_REGISTRY_TOKEN: 'token-of-mine' },
        fetch(request) {
          asked.push(request)
          return registry.fetch(request)
        },
      }),
  })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await registry.close()
  })
  return { page, asked }
}

const choice = {
  name: 'com.example/weather',
  version: '1.2.0',
  plan: 'npm @example/weather@1.2.0',
  as: 'weather',
}

describe('browsing a registry', () => {
  test('finds entries, and says what each asks', async () => {
    const { page } = await browse()
    const { registry, items } = await page.ask('catalogue/search', { text: 'forec' })
    expect(registry).toBe('http://registry.test')
    expect(items.map(({ name }) => name)).toEqual(['com.example/weather'])

    const { plans } = await page.ask('catalogue/read', { name: 'com.example/weather' })
    expect(plans.map(({ title, kind }) => [kind, title])).toEqual([
      ['command', 'npm @example/weather@1.2.0'],
      ['url', 'https://weather.example.com/mcp'],
    ])
    expect(plans[0]?.questions.map(({ id, isSecret }) => [id, isSecret])).toEqual([
      ['WEATHER_KEY', true],
      ['REGION', false],
    ])
  })

  test('adds a pinned command with the answers; it waits for a review, and secrets are masked', async () => {
    const { page } = await browse()
    const answers = { WEATHER_KEY: 'key-of-the-user' }
    const added = await page.ask('catalogue/add', { ...choice, answers })

    expect(added.state).toBe('blocked')
    expect(added.entry).toMatchObject({
      command: 'npx',
      args: ['-y', '@example/weather@1.2.0'],
      env: { WEATHER_KEY: '••••••', REGION: '••••••' },
    })
    expect(JSON.stringify(await page.ask('state/get', {}))).not.toContain('key-of-the-user')
  })

  test.each([
    ['a question that was not answered', {}, /WEATHER_KEY must be answered/],
    [
      'an answer that is none of the choices',
      { WEATHER_KEY: 'k', REGION: 'moon' },
      /REGION must be one of eu, us/,
    ],
  ])('refuses %s', async (_, answers, expected) => {
    const { page } = await browse()
    await expect(page.ask('catalogue/add', { ...choice, answers })).rejects.toThrow(expected)
    expect((await page.ask('state/get', {})).servers).toEqual([])
  })

  test('adds no command where none may be added', async () => {
    const { page } = await browse({ noSpawn: true })
    const adding = page.ask('catalogue/add', { ...choice, answers: { WEATHER_KEY: 'k' } })
    await expect(adding).rejects.toThrow(/no-spawn|command/)
  })

  test('sends the token to the usual registry, and to no other', async () => {
    const { page, asked } = await browse()
    await page.ask('catalogue/search', { text: 'weather' })
    await page.ask('catalogue/search', { text: 'weather', registry: 'http://other.test/v0.1/' })

    expect(
      asked.map(({ url, headers }) => [new URL(url).host, headers.get('authorization')]),
    ).toEqual([
      ['registry.test', 'Bearer token-of-mine'],
      ['other.test', null],
    ])
  })

  test('says so where the program has no registry', async () => {
    const page = await openPage({})
    onTestFinished(() => page[Symbol.asyncDispose]())
    expect((await page.ask('state/get', {})).may.browse).toBe(false)
    await expect(page.ask('catalogue/search', { text: 'x' })).rejects.toThrow(/no_registry/)
  })
})
