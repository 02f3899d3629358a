import { join } from 'node:path'

import { gatewayOptions, loadGatewayConfig } from '@parley/gateway'
import { expect, test } from 'vitest'

import { openLoggedServer, type LoggedServer } from '../../../../test-support/http-log.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { toolsOf } from '../../src/openapi/openapi-tools.ts'
import { open, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'

const documentOf = (server: string, security: readonly object[] = [{ key: [] }]) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: server }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  security,
  paths: { '/pets': { get: { operationId: 'listPets', responses: {} } } },
})

const api = (): Promise<LoggedServer> => openLoggedServer(() => ({ body: { name: 'Rex' } }))

test.each([
  ['credentials', { credentials: { key: 'secret' } }],
  ['headers', { headers: { authorization: 'Bearer secret' } }],
])(
  '%s go to no origin that the document alone names, and the line to add is named',
  (_, secrets) => {
    const document = JSON.stringify(documentOf('https://evil.example/v1'))
    const entry = { openapi: { url: 'https://api.example/openapi.json' }, ...secrets }
    const serverOf = (more: object) =>
      toolsOf({ ...entry, ...more }, document, undefined).tools.map(({ server }) => server.href)

    expect(() => serverOf({})).toThrow(
      'would go to https://evil.example, which only the document names: if that is right, add baseUrl: "https://evil.example/v1"',
    )
    expect(() => serverOf({ hosts: ['evil.example:8443'] })).toThrow('add baseUrl')
    expect(serverOf({ hosts: ['evil.example'] })).toEqual(['https://evil.example/v1'])
    expect(serverOf({ baseUrl: 'https://api.example' })).toEqual(['https://api.example/'])
  },
)

test('a file whose document would take the credentials elsewhere has an error with its line', async () => {
  const text = 'servers:\n  pets:\n    openapi: ./pets.json\n    credentials: { key: secret }\n'
  const folder = folderWith({
    'gateway.yaml': text,
    'pets.json': documentOf('https://api.example.com/v1'),
  })

  const { problems } = await loadGatewayConfig(join(folder, 'gateway.yaml'))

  expect(problems).toMatchObject([
    {
      level: 'error',
      line: 3,
      key: 'servers.pets.openapi',
      message: expect.stringContaining('would go to https://api.example.com') as string,
      fix: 'If that is right, add baseUrl: "https://api.example.com/v1".',
    },
  ])
})

test.each([
  ['by its address', (port: string) => `http://127.0.0.1:${port}/v1`],
  ['by an IPv6 form of it', (port: string) => `http://[::ffff:127.0.0.1]:${port}/v1`],
  ['by its name', (port: string) => `http://localhost:${port}/v1`],
])('a document that names this machine %s gets no request', async (_, serverAt) => {
  await using target = await api()
  const { port } = new URL(target.origin)
  const document = JSON.stringify(documentOf(serverAt(port), []))
  await using gateway = await startTestGateway({ servers: { pets: { openapi: { document } } } })
  await using client = await open(gateway)

  const result = await client.callTool('pets__listPets')

  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/is not public: .* add baseUrl, with the host /)
  expect(target.seen).toEqual([])
})

test('a document on this machine leads to its own port alone, and a redirect of it nowhere', async () => {
  await using target = await api()
  await using documents = await openLoggedServer(({ path }) =>
    path === '/moved.json'
      ? { status: 302, headers: { location: `${target.origin}/openapi.json` }, body: '' }
      : { body: documentOf(`${target.origin}/v1`, []) },
  )
  await using gateway = await startTestGateway({
    servers: {
      other: { openapi: { url: `${documents.origin}/openapi.json` } },
      moved: { openapi: { url: `${documents.origin}/moved.json` } },
    },
  })
  await using client = await open(gateway)
  await gateway.started

  const result = await client.callTool('other__listPets')

  expect(textOf(result)).toContain('is not public')
  expect(JSON.stringify(gateway.status())).toContain(
    `it answered 302, a redirect: write the address ${target.origin}/openapi.json instead`,
  )
  expect(target.seen).toEqual([])
})

test('allowPrivate lets a name that the file has lead to a private network', async () => {
  await using target = await api()
  const { port } = new URL(target.origin)
  const folder = folderWith({
    'gateway.yaml': `servers:\n  pets:\n    openapi: ./pets.json\n    baseUrl: "http://127.0.0.1:${port}/v1"\n    allowPrivate: true\n    credentials: { key: secret }\n`,
    'pets.json': documentOf('https://api.example.com/v1'),
  })
  const { config, problems } = await loadGatewayConfig(join(folder, 'gateway.yaml'))
  await using gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
  await using client = await open(gateway)

  expect(problems).toEqual([])
  expect(textOf(await client.callTool('pets__listPets'))).toContain('Rex')
  expect(config.servers['pets']).toMatchObject({ allowPrivate: true })
  expect(target.seen[0]?.headers).toMatchObject({ 'x-key': 'secret' })
})
