import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createRegistry, serveRegistry as serveOriginal } from '@parley/registry'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { run } from '../run.ts'

/** Serves a registry until the test has ended. */
async function serveRegistry(more: readonly string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'))
  const stop = new AbortController()
  const ready = new Promise<string>((resolve) => {
    const ended = run(['registry', 'serve', '--port', '0', '--json', ...more], {
      env: { PARLEY_STATE: folder },
      signal: stop.signal,
      onStdout: (text) => resolve((JSON.parse(text) as { url: string }).url),
      onStderr: (text) => resolve(text),
    })
    onTestFinished(async () => {
      stop.abort()
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
  })
  return ready
}

it('serves a registry on a port [REG-01]', async () => {
  const url = await serveRegistry(['--sign-in', 'anonymous'])
  const signedIn = await fetch(new URL('v0.1/auth/none', url), { method: 'POST' })
  const { registry_token: token } = (await signedIn.json()) as { registry_token: string }
  const document = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'io.modelcontextprotocol.anonymous/one',
    description: 'One',
    version: '1.0.0',
  }
  const published = await fetch(new URL('v0.1/publish', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(document),
  })
  expect(published.status).toBe(200)
  const listed = await fetch(new URL('v0.1/servers', url))
  expect(await listed.json()).toMatchObject({ servers: [{ server: document }] })
})

it('takes the address of its database from the environment, and hides the password', async () => {
  const database = 'postgres://ada:secret@127.0.0.1:1/registry'
  const ended = await run(['registry', 'serve', '--port', '0'], {
    env: { PARLEY_REGISTRY_DATABASE: database },
  })

  expect(ended.stderr).toMatch(/ECONNREFUSED|127\.0\.0\.1:1/)
  expect(ended.stderr).not.toContain('secret')
})

it.each([
  [['--host', '0.0.0.0'], 'listening on 0.0.0.0 needs --public'],
  [['--host', '0.0.0.0', '--public', '--sign-in', 'anonymous'], 'only for a registry on this'],
  [['--sign-in', 'carrier-pigeon'], 'use dns, http, github, anonymous'],
  [['--keys', '/nonexistent/keys.json'], 'cannot be read'],
  [['--database', 'mysql://x'], 'begins with \\"mysql\\"'],
  [['--mirror', 'ftp://x'], 'it begins with https://'],
  [['--mirror', 'http://x', '--mirror-every', '0'], 'use 1 to 10080 minutes'],
  [['--mirror', 'http://x/a', '--mirror', 'http://x/b'], 'the same host'],
  [['--deny', 'com.example/*'], 'need --mirror'],
  [['--trusted-proxy', 'proxy.example'], 'neither an address nor a range'],
  [['--mirror-key', 'x'], 'need --mirror'],
  [['--mirror', 'http://x', '--mirror', 'http://y', '--mirror-key', 'x'], 'for one --mirror'],
  [['--look-alikes', 'maybe'], 'use flag or refuse'],
  [['--read-keys', '/nonexistent/keys.json'], 'parley registry keys create'],
  [['--read-issuer', 'https://id.example'], '--read-issuer needs --url'],
  [['--read-issuer', 'https://id.example', '--read-keys', 'x'], 'not both'],
])('refuses %j', async (words, text) => {
  expect(await serveRegistry(words)).toContain(text)
})

it('answers holders of its keys only, where it is told to [REG-06]', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'parley-keys-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const file = join(cwd, 'keys.json')
  const made = await run(['registry', 'keys', 'create', '--name', 'ada', '--file', file, '--json'])
  const { key, id } = JSON.parse(made.stdout) as { key: string; id: string } // what it prints
  const url = await serveRegistry(['--read-keys', file])
  const search = (token: string) =>
    run(['search', 'weather'], {
      env: { PARLEY_REGISTRY: url, PARLEY_REGISTRY_TOKEN: token, PARLEY_STATE: cwd },
    })

  expect((await fetch(new URL('v0.1/servers', url))).status).toBe(401)
  expect((await search(`${key}x`)).code).toBe(3)
  expect((await search(key)).code).toBe(0)
  expect(readFileSync(file, 'utf8')).not.toContain(key)
  const listed = await run(['registry', 'keys', 'list', '--file', file])
  expect(listed.stdout).toContain(id)
})

it('keeps a mirror of another registry up to date while it serves [REG-05]', async () => {
  const from = await createRegistry({ database: ':memory:' })
  const served = await serveOriginal(from)
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]()
    await from.close()
  })
  const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
  const documents = ['com.example/one', 'com.other/two'].map((name) => ({
    $schema: schema,
    name,
    description: name,
    version: '1.0.0',
  }))
  await from.importDocuments(documents)

  const url = await serveRegistry(['--mirror', served.url.href, '--deny', 'com.other/*'])

  const names = async () => {
    const response = await fetch(new URL('v0.1/servers', url))
    const { servers } = (await response.json()) as { servers: { server: { name: string } }[] }
    return servers.map(({ server }) => server.name)
  }
  await expect.poll(names).toEqual(['com.example/one'])
})

it('says with --json, too, that a source could not be mirrored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'))
  const stop = new AbortController()
  const said = new Promise<string>((resolve) => {
    const source = 'http://127.0.0.1:1'
    const ended = run(['registry', 'serve', '--port', '0', '--json', '--mirror', source], {
      env: { PARLEY_STATE: folder },
      signal: stop.signal,
      onStdout: (text) => {
        if (!text.includes('"ready"')) resolve(text)
      },
    })
    onTestFinished(async () => {
      stop.abort()
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
  })

  expect(JSON.parse(await said)).toMatchObject({
    level: 'error',
    event: 'not-mirrored',
    message: expect.stringContaining('127.0.0.1:1: '),
  })
})

describe('from zero', () => {
  let cwd = ''
  let env: { readonly [name: string]: string } = {}
  beforeEach(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'parley-project-'))
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
    const url = await serveRegistry(['--sign-in', 'anonymous'])
    env = {
      PARLEY_STATE: join(cwd, 'state'),
      PARLEY_REGISTRY: `${url}v0.1/`,
      MCP_SECRET_KEY: 'a passphrase of a test',
    }
  })
  const cli = (...words: readonly string[]) => run(words, { cwd, env })
  const name = 'io.modelcontextprotocol.anonymous/weather'

  async function publish(change: (document: { packages: object[] }) => object): Promise<void> {
    const project = { name: '@ada/weather', version: '1.2.3', description: 'Weather of today' }
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(project))
    const made = await cli('registry', 'init', '--name', name)
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('mcpName')])
    const file = join(cwd, 'server.json')
    const document = JSON.parse(readFileSync(file, 'utf8')) as { packages: object[] }
    writeFileSync(file, JSON.stringify(change(document)))
    expect((await cli('registry', 'validate')).code).toBe(0)
    const early = await cli('registry', 'publish')
    expect([early.code, early.stderr]).toEqual([3, expect.stringContaining('not signed in')])
    expect((await cli('registry', 'login', 'anonymous')).code).toBe(0)
    expect(statSync(join(cwd, 'state/registry-token.json')).mode & 0o077).toBe(0)
    expect((await cli('registry', 'publish', '--dry-run')).stdout).toContain('would accept it')
    expect((await cli('registry', 'publish')).stdout).toBe(`published ${name} 1.2.3\n`)
  }

  const withQuestions = (document: { packages: object[] }) => ({
    ...document,
    packages: document.packages.map((one) => ({
      ...one,
      packageArguments: [{ type: 'named', name: '--city', isRequired: true }],
      environmentVariables: [{ name: 'WEATHER_KEY', isRequired: true, isSecret: true }],
    })),
  })

  it('publish asks for the document and the sign-in, one question each, and goes on', async () => {
    const project = { name: '@ada/weather', version: '1.2.3', description: 'Weather of today' }
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(project))
    const input = `y\n${name}\nanonymous\n`

    const { code, stdout, stderr } = await run(['publish'], { cwd, env, isTTY: true, input })

    expect([code, stdout]).toEqual([0, expect.stringContaining(`published ${name} 1.2.3\n`)])
    expect(stderr).toContain('There is no server.json here. Write one from package.json? [Y/n]')
    expect(stderr).toContain('Sign in to http')
  })

  it('publish in a script asks nothing, and names the command that is missing', async () => {
    const { code, stderr } = await cli('publish')

    expect([code, stderr]).toEqual([1, expect.stringContaining('parley registry init')])
  })

  it('publishes a server, finds it, and adds it to a configuration [REG-02, REG-03, REG-09]', async () => {
    await publish(withQuestions)
    const found = await cli('search', 'weather', 'today')
    expect(found.stdout).toContain(name)
    expect(found.stderr).toBe('next: parley add NAME\n')
    const there = env['PARLEY_REGISTRY'] ?? ''
    const elsewhere = await cli('search', 'weather', '--registry', there)
    expect(elsewhere.stderr).toBe(`next: parley add NAME --registry=${there}\n`)
    const missing = await cli('add', name, '--yes')
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('--answer city=')])
    const undecided = await cli('add', name, '--answer', 'city=Ulm')
    expect([undecided.code, existsSync(join(cwd, 'mcp.json'))]).toEqual([3, false])
    const answers = ['--answer', 'city=Neu Ulm', '--answer', 'WEATHER_KEY=hunter2-secret']
    const added = await cli('add', name, ...answers, '--yes')
    expect(added.stdout).toContain("runs: npx -y @ada/weather@1.2.3 --city 'Neu Ulm'")
    const text = readFileSync(join(cwd, 'mcp.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: {
        weather: {
          command: 'npx',
          args: ['-y', '@ada/weather@1.2.3', '--city', 'Neu Ulm'],
          env: { WEATHER_KEY: '${input:weather-WEATHER_KEY}' },
        },
      },
    })
    expect(text + added.stdout + added.stderr).not.toContain('hunter2')
    // The answer was kept, encrypted, where the entry looks for it.
    const inputs = await cli('config', 'inputs', 'list', '--json')
    expect(JSON.parse(inputs.stdout)).toMatchObject({
      inputs: [{ id: 'weather-WEATHER_KEY', isAnswered: true }],
    })
    for (const [client, file] of [
      ['vscode', '.vscode/mcp.json'],
      ['cursor', '.cursor/mcp.json'],
      ['claude', '.mcp.json'],
    ] as const) {
      expect((await cli('add', name, ...answers, '--yes', '--client', client)).code).toBe(0)
      const written = readFileSync(join(cwd, file), 'utf8')
      expect(written).toContain('@ada/weather@1.2.3')
      expect(written).not.toContain('hunter2')
    }
  })

  it('mirrors a registry, and writes it as files [REG-05]', async () => {
    await publish((document) => document)
    const from = env['PARLEY_REGISTRY'] ?? ''
    const first = await cli('registry', 'sync', from, '--database', 'mirror.db')
    expect([first.code, first.stdout]).toEqual([0, '1 change in 1 row\n'])
    const again = await cli('registry', 'sync', from, '--database', 'mirror.db', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ changed: 0 })
    const files = await cli('registry', 'export', 'site', '--database', 'mirror.db', '--json')
    expect(JSON.parse(files.stdout)).toMatchObject({ servers: 1, files: 5 })
    const latest = join(cwd, 'site/v0.1/servers', name, 'versions/latest.json')
    expect(JSON.parse(readFileSync(latest, 'utf8'))).toMatchObject({ server: { name } })
    const gone = await cli('registry', 'sync', 'ftp://x', '--database', 'mirror.db')
    expect(gone.stderr).toContain('it begins with https://')
  })

  it('warns of a deprecated version, and says what is not there', async () => {
    await publish((document) => document)
    const status = ['--status', 'deprecated', '--message', 'use \u001b[31m2']
    expect((await cli('registry', 'status', name, '1.2.3', ...status)).code).toBe(0)
    const added = await cli('add', `${name}@1.2.3`, '--dry-run')
    expect(added.stderr).toContain('is deprecated: use')
    expect(added.stderr).not.toContain('\u001b')
    expect(existsSync(join(cwd, 'mcp.json'))).toBe(false)
    const gone = await cli('add', `${name}@9.9.9`, '--yes')
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('Server not found')])
    const odd = await cli('add', name, '--client', 'emacs')
    expect(odd.stderr).toContain('use claude, claude-desktop, vscode, cursor, parley')
    expect((await cli('registry', 'status', name)).stderr).toContain('--status is missing')
    const again = await cli('registry', 'publish')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('duplicate version')])
  })

  it('says everything that is wrong with a document', async () => {
    writeFileSync(join(cwd, 'server.json'), '{"name":"x","version":"^1","description":""}')
    const { code, stdout } = await cli('registry', 'validate', '--json')
    expect(code).toBe(6)
    const { issues } = JSON.parse(stdout) as { issues: { path: string }[] }
    expect(issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['name', 'description', 'version', '$schema']),
    )
  })

  it('prints a token for the page, and keeps none', async () => {
    const { stdout } = await cli('registry', 'login', 'anonymous', '--print-token')
    const url = new URL('x/session', env['PARLEY_REGISTRY'])
    const session = await fetch(url, { headers: { authorization: `Bearer ${stdout.trim()}` } })
    expect(await session.json()).toMatchObject({ isKnown: true })
    expect(existsSync(join(cwd, 'state/registry-token.json'))).toBe(false)
  })

  it('prints the record of a key', async () => {
    writeFileSync(join(cwd, 'key.hex'), 'ab'.repeat(32))
    const { stdout } = await cli('registry', 'login', 'dns', '--key-file', 'key.hex', '--record')
    expect(stdout).toMatch(/^v=MCPv1; k=ed25519; p=[A-Za-z0-9+/]{43}=\n$/)
    const none = await cli('registry', 'login', 'dns', '--domain', 'example.com')
    expect(none.stderr).toContain('no private key was given')
  })
})
