import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'

import {
  createRegistry,
  serveRegistry,
  type Registry,
  type RegistryOptions,
} from '@parley/registry'
import { readPublisherKey } from '@parley/registry/client'
import { expect, onTestFinished, test } from 'vitest'

import { useOwnNpx } from '../own-npx.ts'
import { repositoryFile, run } from '../run.ts'

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
const name = 'com.example/weather'

function documentOf(version: string, more: object = {}, pack: object = {}): object {
  return {
    $schema: schema,
    name,
    description: 'Weather',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: '@ada/weather',
        version,
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'named', name: '--city', isRequired: true }],
        environmentVariables: [{ name: 'KEY', isRequired: true, isSecret: true }],
        ...pack,
      },
    ],
    ...more,
  }
}

/** A registry that is served, and a folder to work in. */
async function open(options: Partial<RegistryOptions> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'parley-installs-'))
  const database = join(cwd, 'registry.db')
  const registry: Registry = await createRegistry({ database, ...options })
  const served = await serveRegistry(registry)
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]()
    await registry.close()
    rmSync(cwd, { recursive: true, force: true })
  })
  const env = {
    PARLEY_STATE: join(cwd, 'state'),
    PARLEY_REGISTRY: served.url.href,
    MCP_SECRET_KEY: 'a passphrase of a test',
  }
  const cli = (...words: readonly string[]) => run(words, { cwd, env })
  const config = () => readFileSync(join(cwd, 'mcp.json'), 'utf8')
  return { cwd, registry, url: served.url.href, cli, config, env }
}

const answers = ['--answer', 'city=Ulm', '--answer', 'KEY=hunter2', '--yes']

test('update brings what was added to a newer version, with its answers, and shows what changes', async () => {
  const { registry, cli, config, cwd } = await open()
  await registry.importDocuments([documentOf('1.0.0')])
  expect((await cli('add', name, ...answers)).code).toBe(0)
  const nothing = await cli('update', '--yes')
  expect(nothing.stderr).toContain('weather is up to date: com.example/weather 1.0.0')
  await registry.importDocuments([documentOf('1.1.0')])

  const dry = await cli('update', '--dry-run')
  expect(dry.stdout).toContain('com.example/weather 1.0.0 → 1.1.0')
  expect(dry.stdout).toContain('@ada/weather@1.1.0')
  expect(config()).toContain('@ada/weather@1.0.0')

  const updated = await cli('update', '--yes')
  expect(updated.code).toBe(0)
  expect(config()).toContain('@ada/weather@1.1.0')
  expect(config()).toContain('Ulm')
  const records = readFileSync(join(cwd, 'state/registry-installs.json'), 'utf8')
  expect(config() + records + updated.stdout + updated.stderr).not.toContain('hunter2')
})

test('link prints links and commands for a README, of the registry or of a file, without secrets', async () => {
  const { registry, cli, cwd } = await open()
  const key = { name: 'KEY', description: 'Of your account', isRequired: true, isSecret: true }
  const document = documentOf('1.0.0', {}, { packageArguments: [], environmentVariables: [key] })
  await registry.importDocuments([document])
  writeFileSync(join(cwd, 'server.json'), JSON.stringify(document))

  const told = await cli('link', name)
  const ofFile = await cli('link', 'server.json')
  const { links } = JSON.parse((await cli('link', `${name}@1.0.0`, '--json')).stdout) as {
    links: { client: string; text: string; web?: string }[]
  }

  expect(told.stdout).toBe(ofFile.stdout)
  const [clicks, , fence, ...rest] = told.stdout.split('\n')
  expect(clicks).toMatch(
    /^\[Install in VS Code\]\(https:[^()]+\) · \[Install in Cursor\]\(https:[^()]+\)$/,
  )
  expect(clicks).toContain(links.find(({ client }) => client === 'vscode')?.web)
  expect(fence).toBe('```sh')
  expect(rest).toContain(
    'claude mcp add weather --env "KEY=$WEATHER_KEY" -- npx -y @ada/weather@1.0.0',
  )
  expect(rest).toContain('parley add com.example/weather@1.0.0')
  expect(rest).toContain('- `WEATHER_KEY`: Of your account (secret)')
  expect(told.stderr).toContain('run this again after the next release')

  writeFileSync(join(cwd, 'server.json'), JSON.stringify({ ...document, description: 1 }))
  expect(await cli('link', 'server.json')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('parley registry validate') as unknown,
  })
  expect((await cli('link', name, '--use', 'pypi')).stderr).toContain('nothing with "pypi"')
})

test('update asks what is new, and leaves pins alone unless they are named', async () => {
  const { registry, cli, config } = await open()
  await registry.importDocuments([documentOf('1.0.0'), documentOf('1.1.0')])
  expect((await cli('add', `${name}@1.0.0`, ...answers)).code).toBe(0)
  const pinned = await cli('update', '--yes')
  expect(pinned.stderr).toContain('weather is pinned to 1.0.0')
  expect(config()).toContain('@ada/weather@1.0.0')

  const fresh = { packageArguments: [{ type: 'named', name: '--unit', isRequired: true }] }
  await registry.importDocuments([documentOf('2.0.0', {}, fresh)])
  const unanswered = await cli('update', 'weather', '--yes')
  expect([unanswered.code, unanswered.stderr]).toEqual([
    3,
    expect.stringContaining('--answer unit='),
  ])
  expect((await cli('update', 'weather', '--to', '1.1.0', '--yes')).code).toBe(0)
  expect(config()).toContain('@ada/weather@1.1.0')
  expect((await cli('update', 'nobody')).stderr).toContain('Added were weather.')
  expect((await cli('update', '--to', '1.0.0')).stderr).toContain('--to needs the name')
})

test('update refuses a registry that changed a version it had published', async () => {
  const { registry, cli, cwd, config } = await open()
  await registry.importDocuments([documentOf('1.0.0')])
  await cli('add', name, ...answers)
  const other = await createRegistry({ database: join(cwd, 'other.db') })
  await using served = await serveRegistry(other)
  onTestFinished(() => other.close())
  await other.importDocuments([documentOf('1.0.0', { title: 'tampered' }), documentOf('1.1.0')])

  const { code, stderr } = await cli('update', '--registry', served.url.href, '--yes')

  expect([code, stderr]).toEqual([6, expect.stringContaining('1.0.0 is not what was added')])
  expect(config()).toContain('@ada/weather@1.0.0')
})

test('why says where an entry came from', async () => {
  const { registry, cli, url, cwd } = await open()
  await registry.importDocuments([documentOf('1.0.0')])
  await cli('add', name, ...answers)

  const told = await cli('why', 'weather')
  const json = JSON.parse((await cli('why', name, '--json')).stdout) as { entries: object[] }

  for (const text of ['com.example/weather 1.0.0', url.slice(0, -1), 'publisher', 'not probed']) {
    expect(told.stdout).toContain(text)
  }
  expect(json.entries).toMatchObject([
    {
      entry: 'weather',
      version: '1.0.0',
      isPresent: true,
      isPinned: false,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    },
  ])
  rmSync(join(cwd, 'mcp.json'))
  expect((await cli('why', 'weather')).stdout).toContain('no longer there')
  expect((await cli('why', 'nobody')).code).toBe(1)
})

test('a probe starts a server without a network and keeps its tools, or says that it cannot', async () => {
  const { registry, cli, cwd } = await open()
  const server = join(cwd, 'server.mjs')
  const entry = (which: string) =>
    JSON.stringify(repositoryFile(`packages/mcp/dist/entry/${which}.js`))
  writeFileSync(
    server,
    `import { createServer } from ${entry('server')}
     import { serveStdio } from ${entry('stdio')}
     const server = createServer({ name: 'clock', version: '1.0.0' })
     server.tool('now', { description: process.argv[2] }, () => 'now')
     await serveStdio(server)`,
  )
  const time = { packageArguments: [], environmentVariables: [] }
  useOwnNpx([execPath, server, 'one'])
  await registry.importDocuments([documentOf('1.0.0', {}, time)])

  const added = await cli('add', name, '--probe', '--yes')
  expect(added.code).toBe(0)
  const isSeen = /tools: \d+, hash [0-9a-f]{64}/.test(added.stdout)
  expect(isSeen || added.stderr.includes('not probed: this system has no way')).toBe(true)
  await registry.importDocuments([documentOf('1.1.0', {}, time)])
  useOwnNpx([execPath, server, 'two'])
  const updated = await cli('update', '--probe', '--yes')
  expect(updated.code).toBe(0)
  if (isSeen) {
    expect(updated.stdout).toContain('~ tool now: description changed')
    expect((await cli('why', 'weather')).stdout).toMatch(/when it was probed, hash/)
  }
})

test.runIf(existsSync('/proc/self/ns/net'))('a child that is probed has no network', async () => {
  const { registry, cli, cwd } = await open()
  let isReached = false
  const listener = createServer((_, response) => {
    isReached = true
    response.end('reached')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  const { port } = listener.address() as AddressInfo // listening on an address
  const program = join(cwd, 'spy.mjs')
  writeFileSync(program, `await fetch('http://127.0.0.1:${port}').catch(() => {}); process.exit(3)`)
  const spy = { packageArguments: [], environmentVariables: [] }
  useOwnNpx([execPath, program])
  await registry.importDocuments([documentOf('1.0.0', {}, spy)])

  const { code, stderr } = await cli('registry', 'probe', name)

  expect([code, isReached]).toEqual([4, false])
  expect(stderr).toContain('was not probed')
})

test('a copy is verified with the key of the original, by command', async () => {
  const indexKey = '44'.repeat(32)
  const { publicKey } = readPublisherKey(indexKey)
  const { registry, cli, url, cwd } = await open({ indexKey })
  await registry.importDocuments([documentOf('1.0.0'), documentOf('1.1.0')])
  const mirror = join(cwd, 'mirror.db')
  await cli('registry', 'sync', url, '--database', mirror)
  const copy = await createRegistry({ database: mirror })
  await using served = await serveRegistry(copy)
  onTestFinished(() => copy.close())
  const verify = (...more: readonly string[]) =>
    cli('registry', 'verify', served.url.href, '--key', publicKey, '--index', url, ...more)

  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 versions compared') as unknown,
  })
  await copy.importDocuments([{ ...documentOf('1.0.0'), name: 'com.example/added' }])
  expect(await verify()).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('not in the index: com.example/added@1.0.0') as unknown,
  })
  const wrong = readPublisherKey('55'.repeat(32)).publicKey
  const foreign = await cli('registry', 'verify', served.url.href, '--key', wrong, '--index', url)
  expect([foreign.code, foreign.stderr]).toEqual([7, expect.stringContaining('is not believed')])

  writeFileSync(join(cwd, 'index.hex'), indexKey)
  const database = ['--database', join(cwd, 'registry.db')]
  expect(
    (await cli('registry', 'export', 'site', ...database, '--index-key', 'index.hex')).code,
  ).toBe(0)
  const imported = [
    'registry',
    'import',
    'site',
    '--id',
    'original',
    '--database',
    'air.db',
    '--key',
  ]
  expect(await cli(...imported, publicKey)).toMatchObject({
    code: 0,
    stdout: '2 changes in 2 rows\n',
  })
  const snapshot = join(cwd, 'site/v0.1/x/snapshot.ndjson')
  writeFileSync(snapshot, readFileSync(snapshot, 'utf8').replaceAll('"Weather"', '"Malware"'))
  const tampered = await cli(...imported, publicKey)
  expect([tampered.code, tampered.stderr]).toEqual([
    6,
    expect.stringContaining('is not what was signed'),
  ])
})

test('rules are set in a database of one’s own', async () => {
  const { registry, cli, cwd } = await open()
  await registry.importDocuments([documentOf('1.0.0')])
  const database = ['--database', join(cwd, 'registry.db')]
  const hidden = await cli('registry', 'moderate', 'hide', name, '--reason', 'spam', ...database)
  expect([hidden.code, hidden.stdout]).toEqual([0, 'done: 1 version changed\n'])
  expect((await cli('search', 'weather')).stdout).not.toContain(name)
  const listed = await cli('registry', 'moderate', 'list', ...database)
  expect(listed.stdout).toMatch(/deny +com\.example\/weather +spam/)
  expect(
    (await cli('registry', 'moderate', 'restore', name, '--reason', 'ok', ...database)).code,
  ).toBe(0)
  expect((await cli('search', 'weather')).stdout).toContain(name)
  expect((await cli('registry', 'moderate', 'hide', name, ...database)).stderr).toContain(
    '--reason',
  )
  expect((await cli('registry', 'moderate', 'erase')).stderr).toContain('use list, hide')
})

test('somebody signs in to GitHub in a browser', async () => {
  const calls: string[] = []
  const github: RequestListener = (request, response) => {
    calls.push(request.url ?? '')
    response.setHeader('content-type', 'application/json')
    if (request.url === '/login/device/code') {
      const code = {
        device_code: 'd',
        user_code: 'ABCD-1234',
        verification_uri: 'https://github.test/device',
        expires_in: 60,
        interval: 0,
      }
      response.end(JSON.stringify(code))
      return
    }
    const isPending = calls.length < 4
    response.end(
      JSON.stringify(isPending ? { error: 'authorization_pending' } : { access_token: 'gho_x' }),
    )
  }
  const fake = createServer(github)
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void fake.close())
  const { port } = fake.address() as AddressInfo // listening on an address
  const { cwd, env } = await open({
    auth: { github: { apiUrl: 'https://api.git.example', clientId: 'client-1' } },
    outgoing: async (url, { headers = {} } = {}) => {
      const isKnown = headers['authorization'] === 'Bearer gho_x'
      const text = url.endsWith('/user') ? '{"login":"ada"}' : '[]'
      return { status: isKnown ? 200 : 401, headers: new Headers(), text }
    },
  })

  const { code, stdout, stderr } = await run(['registry', 'login', 'github'], {
    cwd,
    env: { ...env, PARLEY_GITHUB_URL: `http://127.0.0.1:${port}` },
  })

  expect([code, stderr]).toEqual([0, expect.stringContaining('enter the code ABCD-1234')])
  expect(stdout).toContain('signed in')
  expect(calls).toEqual([
    '/login/device/code',
    ...Array.from({ length: 3 }, () => '/login/oauth/access_token'),
  ])
})

test('add refuses an entry that starts another program, with the reason, and takes the part that is fine', async () => {
  const { registry, cli, cwd, config } = await open()
  const evil = { runtimeHint: 'bash', runtimeArguments: [{ type: 'positional', value: '-c' }] }
  await registry.importDocuments([documentOf('1.0.0', {}, evil)])

  const rejected = await cli('add', name, ...answers)

  expect([rejected.code, rejected.stderr]).toEqual([
    6,
    expect.stringContaining('runtimeHint is "bash": a package of npm is started by npx, bunx'),
  ])
  expect(existsSync(join(cwd, 'mcp.json'))).toBe(false)

  const remotes = [{ type: 'streamable-http', url: 'https://weather.example/mcp' }]
  await registry.importDocuments([documentOf('1.1.0', { remotes }, evil)])
  const added = await cli('add', name, '--yes')
  expect([added.code, config()]).toEqual([0, expect.stringContaining('https://weather.example')])
  const named = await cli('add', name, '--use', '@ada/weather', ...answers)
  expect([named.code, named.stderr]).toEqual([6, expect.stringContaining('runtimeHint is "bash"')])
})

test('add refuses an answer that is not of the format of its question', async () => {
  const { registry, cli } = await open()
  const port = { packageArguments: [{ type: 'named', name: '--port', format: 'number' }] }
  await registry.importDocuments([documentOf('1.0.0', {}, port)])

  const { code, stderr } = await cli('add', name, '--answer', 'port=8080; rm', '--yes')

  expect([code, stderr]).toEqual([1, expect.stringContaining('port must be a number')])
})

test('add shows all that it would write, and everything that is left to do, before it does', async () => {
  const { registry, cli, cwd, url } = await open()
  const served = {
    transport: { type: 'streamable-http', url: 'http://127.0.0.1:{port}/mcp' },
    packageArguments: [{ type: 'named', name: '--port', default: '8080', format: 'number' }],
    environmentVariables: [{ name: 'REGION', value: 'eu' }],
  }
  await registry.importDocuments([documentOf('1.0.0', {}, served)])

  const dry = await cli('add', name, '--dry-run')

  expect(dry.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      `server: ${name} 1.0.0 of ${url.slice(0, -1)}`,
      'comes from: the package @ada/weather 1.0.0, which npx gets from the npm registry that it is set to',
      'connects to: http://127.0.0.1:8080/mcp',
      expect.stringMatching(
        /^to do: start the server, .*: npx -y @ada\/weather@1\.0\.0 --port 8080 with REGION=eu$/,
      ) as unknown,
      `writes: ${join(cwd, 'mcp.json')} (new)`,
      `writes: ${join(cwd, 'state/registry-installs.json')} (remembers where the entry came from)`,
      '+      "url": "http://127.0.0.1:8080/mcp"',
    ]),
  )
  expect(existsSync(join(cwd, 'mcp.json'))).toBe(false)

  const crate = {
    registryType: 'cargo',
    identifier: 'weather',
    packageArguments: [],
    environmentVariables: [],
  }
  await registry.importDocuments([documentOf('2.0.0', {}, crate)])
  const built = await cli('add', name, '--yes')
  expect(built.stdout).toContain(
    `to do: run once: cargo install --locked --root ${join(cwd, 'state/programs/weather-2.0.0')} weather@2.0.0`,
  )
  expect(readFileSync(join(cwd, 'mcp.json'), 'utf8')).toContain(
    join(cwd, 'state/programs/weather-2.0.0/bin/weather'),
  )

  const bundle = {
    registryType: 'mcpb',
    identifier: 'https://github.com/ada/weather/releases/download/v1/weather-mcp.mcpb',
    version: undefined,
    fileSha256: 'a'.repeat(64),
  }
  await registry.importDocuments([documentOf('3.0.0', {}, bundle)])
  const none = await cli('add', name, '--yes')
  expect([none.code, none.stderr]).toEqual([
    6,
    expect.stringContaining(
      'mcpb bundles are not supported yet: download the bundle, check its SHA-256',
    ),
  ])
})

test.each([
  [
    'codex',
    '.codex/config.toml',
    '# mine\nmodel = "x"\n',
    '[mcp_servers.weather]\ncommand = "npx"',
  ],
  ['goose', '.config/goose/config.yaml', '# mine\nextensions: {}\n', 'cmd: npx'],
  ['zed', '.config/zed/settings.json', '{\n  // # mine\n  "theme": "x",\n}\n', '"context_servers"'],
])(
  'add writes for %s, keeps its comments, and why finds it there',
  async (product, path, before, expected) => {
    const { registry, cwd, env } = await open()
    await registry.importDocuments([documentOf('1.0.0')])
    const file = join(cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, before)
    const options = { cwd, env: { ...env, HOME: cwd } }

    const added = await run(['add', name, '--client', product, ...answers], options)
    const why = await run(['why', 'weather', '--json'], options)

    expect(added.code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('# mine')
    expect(text).toContain(expected)
    expect(text + added.stdout).not.toContain('hunter2')
    expect(JSON.parse(why.stdout)).toMatchObject({ entries: [{ file, isPresent: true }] })
  },
)
