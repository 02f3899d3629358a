import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { gatewayOptions, loadGatewayConfig, type Gateway } from '@parley/gateway'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { openLoggedServer, type LoggedServer } from '../../../../test-support/http-log.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { open, serveTest, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'

const document = (more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: 'https://api.example.com/v1' }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: { operationId: 'listPets', tags: ['pets'], summary: 'List all pets', responses: {} },
      post: { operationId: 'addPet', tags: ['pets'], responses: {} },
    },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        tags: ['pets'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
      },
    },
    '/admin': { delete: { operationId: 'wipe', tags: ['admin'], responses: {} } },
    ...more,
  },
})

const openApi = (): Promise<LoggedServer> =>
  openLoggedServer(({ path }) => ({
    body: path === '/v1/big' ? { text: 'x'.repeat(50_000) } : { path, name: 'Rex' },
  }))

async function startWith(
  folder: string,
): Promise<{ gateway: Gateway; problems: readonly string[] }> {
  const { config, problems } = await loadGatewayConfig(join(folder, 'gateway.yaml'), {
    env: { PET_KEY: 'secret-of-pets' },
  })
  const gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
  return {
    gateway,
    problems: problems.map(
      (each) => `${each.line} ${each.level} ${each.key} ${each.message} | ${each.fix}`,
    ),
  }
}

const yaml = (api: LoggedServer, more = '') => `
servers:
  pets:
    openapi: ./pets.json
    baseUrl: "${api.origin}/v1"
    operations:
      include: [ { tags: [pets] } ]
      exclude: { methods: [post] }
      rename: { listPets: all_pets }
    credentials: { key: "\${PET_KEY}" }
    headers: { X-Team: animals }
    limits: { answer: 1KB }
${more}`

test('operations of a document are tools, chosen and renamed by rules, at one address', async () => {
  await using api = await openApi()
  const folder = folderWith({ 'gateway.yaml': yaml(api), 'pets.json': document() })
  const { gateway, problems } = await startWith(folder)
  await using _ = gateway
  await using client = await open(gateway)

  const tools = await client.listTools().toArray()
  const result = await client.callTool('pets__getPet', { id: 'a/b' })

  expect(problems).toEqual([])
  expect(tools.map(({ name }) => name).toSorted()).toEqual(['pets__all_pets', 'pets__getPet'])
  expect(textOf(result)).toContain('Rex')
  expect(api.paths()).toEqual(['GET /v1/pets/a%2Fb'])
  expect(api.seen[0]?.headers).toMatchObject({ 'x-key': 'secret-of-pets', 'x-team': 'animals' })
})

test('a large document is searched, and what is found is called', async () => {
  await using api = await openApi()
  const paths = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [
      `/things/${at}`,
      {
        get: { operationId: `thing_${at}`, tags: ['pets'], summary: `Thing ${at}`, responses: {} },
      },
    ]),
  )
  const folder = folderWith({
    'gateway.yaml': yaml(api, 'search: auto\n'),
    'pets.json': document(paths),
  })
  const { gateway, problems } = await startWith(folder)
  await using _ = gateway
  await using client = await open(gateway)

  const names = (await client.listTools().toArray()).map(({ name }) => name)
  const found = textOf(await client.callTool('find_tools', { query: 'thing 417', limit: 1 }))
  const called = await client.callTool('call_tool', { name: 'pets__thing_417' })

  expect(problems).toEqual([])
  expect(names).toEqual(['find_tools', 'describe_tool', 'call_tool'])
  expect(found).toContain('pets__thing_417')
  expect(textOf(called)).toContain('/v1/things/417')
})

test('answers are cut where the file says, and failures are tool errors', async () => {
  await using api = await openApi()
  const big = { '/big': { get: { operationId: 'big', tags: ['pets'], responses: {} } } }
  const folder = folderWith({ 'gateway.yaml': yaml(api), 'pets.json': document(big) })
  const { gateway } = await startWith(folder)
  await using _ = gateway
  await using client = await open(gateway)

  const result = await client.callTool('pets__big')

  expect(JSON.stringify(result).length).toBeLessThan(10_000)
})

test('a document that is written anew changes the tools, and no other server', async () => {
  await using api = await openApi()
  await using other = await serveTest(
    (() => {
      const server = createServer({ name: 'other', version: '1' })
      server.tool('stay', {}, () => 'here')
      return server
    })(),
  )
  const text = yaml(api, `  other: { url: "${other.url.href}" }\n`)
  const folder = folderWith({ 'gateway.yaml': text, 'pets.json': document() })
  const load = () =>
    loadGatewayConfig(join(folder, 'gateway.yaml'), { env: { PET_KEY: 'secret-of-pets' } })
  const { config } = await load()
  await using gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
  await using client = await open(gateway)
  expect(config.files).toContain(join(folder, 'pets.json'))

  const more = { '/cats': { get: { operationId: 'cats', tags: ['pets'], responses: {} } } }
  writeFileSync(join(folder, 'pets.json'), JSON.stringify(document(more)))
  const difference = gateway.reload(gatewayOptions((await load()).config))

  expect(difference).toEqual({ added: [], removed: [], changed: ['pets'] })
  await vi.waitFor(async () => {
    const names = (await client.listTools().toArray()).map(({ name }) => name)
    expect(names).toContain('pets__cats')
    expect(names).toContain('other__stay')
  })
})

test('a document at an address is fetched, and one that is not there is tried again', async () => {
  let isThere = false
  await using api = await openLoggedServer(({ path }) =>
    path === '/openapi.json' && isThere
      ? { body: { ...document(), security: [], servers: [{ url: `${api.origin}/v1` }] } }
      : path === '/openapi.json'
        ? { status: 503, body: 'later' }
        : { body: { ok: true } },
  )
  await using gateway = await startTestGateway({
    backOff: { minMs: 20, maxMs: 50 },
    servers: { pets: { openapi: { url: `${api.origin}/openapi.json` } } },
  })
  await using client = await open(gateway)
  await gateway.started
  expect(JSON.stringify(gateway.status())).toContain('it answered 503')

  isThere = true

  await vi.waitFor(async () => {
    const names = (await client.listTools().toArray()).map(({ name }) => name)
    expect(names).toContain('pets__listPets')
  })
  expect(textOf(await client.callTool('pets__listPets'))).toContain('ok')
})

test('an API on the network never leads to this machine', async () => {
  await using api = await openApi()
  const own = { servers: [{ url: `http://localhost:${new URL(api.origin).port}/v1` }] }
  await using gateway = await startTestGateway({
    servers: {
      pets: { openapi: { document: JSON.stringify({ ...document(), security: [], ...own }) } },
    },
  })
  await using client = await open(gateway)

  const result = await client.callTool('pets__listPets')

  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('not public')
  expect(api.seen).toEqual([])
})

test.each([
  ['{\n  "openapi": "3.1.0",\n  oops\n}', /^3 error .*is not JSON: .* \| Correct the document\.$/],
  ['openapi: 3.1.0\npaths: [', /^\d+ error .*is not YAML: .* \| Correct the document\.$/],
  [
    '{ "swagger": "2.0" }',
    /^4 error servers\.pets\.openapi cannot be used: the document is Swagger "2\.0" \| Convert it to OpenAPI 3 first/,
  ],
  [
    JSON.stringify({ ...document(), paths: {} }),
    /^\d error servers\.pets\.operations leaves no operation \| Widen/,
  ],
  [
    JSON.stringify({ ...document(), components: {} }),
    /^4 error servers\.pets\.openapi cannot be used: credentials\.key/,
  ],
])('says where a document is wrong: %#', async (text, expected) => {
  await using api = await openApi()
  const folder = folderWith({ 'gateway.yaml': yaml(api), 'pets.json': text })
  const { problems } = await loadGatewayConfig(join(folder, 'gateway.yaml'), {
    env: { PET_KEY: 'x' },
  })

  const told = problems.map(
    (each) => `${each.line} ${each.level} ${each.key} ${each.message} | ${each.fix}`,
  )
  expect(told).toEqual([expect.stringMatching(expected)])
})

test.each([
  ['openapi: ./none.json', /^3 servers\.a\.openapi cannot be read: ENOENT/],
  [
    'openapi: ./a.json\n    url: "https://a.example"',
    /^4 servers\.a\.url cannot be combined with openapi \| Keep only one\.$/,
  ],
  [
    'openapi: "https://a.example/d.json"\n    operations: { include: [ { methods: [fetch] } ] }',
    /^4 servers\.a\.operations\.include\.0\.methods\.0 is unknown: "fetch" \|/,
  ],
  [
    'openapi: "https://a.example/d.json"\n    operations: { includes: [] }',
    /^4 servers\.a\.operations\.includes is unknown/,
  ],
  [
    'openapi: "https://a.example/d.json"\n    credentials: { key: { user: a } }',
    /^4 servers\.a\.credentials\.key has no username \| Add username/,
  ],
  [
    'openapi: "https://a.example/d.json"\n    limits: { pages: many }',
    /^4 servers\.a\.limits\.pages is out of range: "many" \| Write a whole number from 1 to 999\.$/,
  ],
  [
    'openapi: "https://a.example/d.json"\n    auth: { type: user }',
    /^4 servers\.a\.auth with type user is for MCP servers \| Use type: static/,
  ],
])('says where the file is wrong: %#', async (lines, expected) => {
  const text = `servers:\n  a:\n    ${lines}\n`
  const folder = folderWith({ 'g.yaml': text, 'a.json': document() })
  const { problems } = await loadGatewayConfig(join(folder, 'g.yaml'))

  const [first] = problems.map((each) => `${each.line} ${each.key} ${each.message} | ${each.fix}`)
  expect(first).toMatch(expected)
})
