import { join } from 'node:path'

import { gatewayOptions, loadGatewayConfig } from '@parley/gateway'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

/** What is wrong with a file, as a person is told. */
async function problemsOf(text: string, name = 'gateway.yaml'): Promise<readonly string[]> {
  const folder = folderWith({ [name]: text })
  const { problems } = await loadGatewayConfig(join(folder, name), {
    cwd: folder,
    env: { HOME: folder },
  })
  return problems.map(
    ({ level, line, key, message, fix }) => `${line} ${level} ${key} ${message} | ${fix}`,
  )
}

const whole = `
listen: [ { http: 127.0.0.1:8080, path: /tools, trustedProxies: [10.0.0.0/8, "::1"] } ]
naming: prefix
servers:
  git:
    command: mcp-server-git
    args: [--repository, "\${workspaceFolder}"]
    mode: perUser
    startTimeout: 5s
    limits: { memory: 512M, connections: 7 }
    tools:
      git_log: { name: history, description: What happened, arguments: { repo: { value: . } } }
      git_push: { hide: true }
  docs: { url: "https://docs.example/mcp", headers: { X-Team: "\${TEAM:-none}" }, era: legacy }
profiles:
  dev: { servers: [git], naming: manual, tools: { deny: ["git__*"] } }
`

test('reads the servers, where to listen, names and profiles', async () => {
  const folder = folderWith({ 'gateway.yaml': whole })
  const { config, problems } = await loadGatewayConfig('gateway.yaml', {
    cwd: folder,
    env: { HOME: folder },
  })

  expect(problems).toEqual([])
  expect(config.listen).toMatchObject({ to: 'http', host: '127.0.0.1', port: 8080, path: '/tools' })
  expect(config.servers).toMatchObject({
    git: {
      command: 'mcp-server-git',
      args: ['--repository', folder],
      mode: 'per-user',
      startTimeoutMs: 5_000,
      memoryBytes: 512 * 1024 * 1024,
      maxConnections: 7,
      tools: {
        git_log: { name: 'history', arguments: { repo: { value: '.' } } },
        git_push: { hide: true },
      },
    },
    docs: {
      url: 'https://docs.example/mcp',
      headers: { 'X-Team': 'none' },
      protocolVersion: 'legacy',
    },
  })
  const dev = gatewayOptions(config, 'dev')
  expect(Object.keys(dev.servers)).toEqual(['git'])
  const trustedProxies = ['10.0.0.0/8', '::1']
  expect(dev).toMatchObject({ naming: 'manual', port: 8080, trustedProxies })
  expect(() => gatewayOptions(config, 'prod')).toThrow('there is no profile "prod": use dev')
})

test('a file with mcpServers is read as it is, other keys included', async () => {
  const file = JSON.stringify({
    theme: 'dark',
    mcpServers: { time: { command: 'mcp-server-time', disabled: true } },
  })
  const folder = folderWith({ 'mcp.json': file })
  const { config, problems } = await loadGatewayConfig('mcp.json', { cwd: folder })

  expect(problems).toEqual([])
  expect(config.servers).toMatchObject({ time: { command: 'mcp-server-time', isDisabled: true } })
})

test('imports servers of other files, and its own go before them', async () => {
  const folder = folderWith({
    'gateway.yaml': 'import: ["~/mcp.json"]\nservers:\n  a: { command: own }\n',
    'mcp.json': '{ "mcpServers": { "a": { "command": "other" }, "b": { "command": "b" } } }',
  })
  const { config, problems } = await loadGatewayConfig('gateway.yaml', {
    cwd: folder,
    home: folder,
  })

  expect(problems).toEqual([])
  expect(config.servers).toMatchObject({ a: { command: 'own' }, b: { command: 'b' } })
})

test.each([
  [
    'servers:\n  a: { comand: x }',
    '2 error servers.a.command has no command | Write "command" instead of "comand".',
  ],
  [
    'servers:\n  a: { command: x, mode: all }',
    '2 error servers.a.mode is unknown: "all" | Use perSession, perUser, shared, per-session, per-user.',
  ],
  [
    'servers:\n  a:\n    command: x\n    startTimeout: 5',
    '4 error servers.a.startTimeout 5 has no unit | Write 5ms or 5s.',
  ],
  [
    'servers:\n  a__b: { command: x }',
    "2 error servers.a__b cannot be the beginning of a tool's name | Use letters, digits, - and single _, at most 32.",
  ],
  [
    'servers:\n  a: { command: x }\nnameing: prefix',
    '3 error nameing is unknown | Did you mean "naming"?',
  ],
  [
    'servers:\n  a: { command: x }\nlisten: { http: 0.0.0.0:80 }',
    '3 error listen.http listens on the public address 0.0.0.0 without auth | Use 127.0.0.1, or add auth.',
  ],
  [
    'servers:\n  a: { command: x }\nlisten: { http: 0.0.0.0:80 }\nauth: { keys: keys.json }',
    '3 error listen.url is missing, and other machines can reach 0.0.0.0 | Add url: "https://gw.example/mcp".',
  ],
  [
    'servers:\n  a: { command: x }\nauth: {}',
    '3 error auth needs one of keys and jwt | Write auth: { keys: keys.json } or auth: { jwt: { issuer: "https://…" } }.',
  ],
  [
    'servers:\n  a: { command: x }\nauth: { jwt: { issuer: "https://id.example" } }',
    '3 error auth.jwt needs listen.url: tokens are issued for the public address | Add listen: { url: "https://gw.example/mcp" }.',
  ],
  [
    'servers:\n  a: { command: x }\npolicy: ["mcp.tol.name == 1"]',
    expect.stringMatching(/^3 error policy\.0/),
  ],
  [
    'servers:\n  a: { command: x }\nlisten: { http: here }',
    '3 error listen.http is not an address and port: "here" | Write 127.0.0.1:3000 or 3000.',
  ],
  [
    'servers:\n  a: { command: x }\nlisten: { http: 3000, trustedProxies: [10.0.0.0/8, lb] }',
    '3 error listen.trustedProxies.1 is neither an address nor a range of addresses: "lb" | Write 192.0.2.7, 10.0.0.0/8 or fd00::/8.',
  ],
  [
    'servers:\n  a: { command: x }\nprofiles: { p: { servers: [b] } }',
    '3 error profiles.p.servers names a server that does not exist: b | Use a.',
  ],
  [
    'servers:\n  a: { command: x }\nprofiles: { "a b": {} }',
    '3 error profiles.a b cannot be part of a path | Use letters, digits, - and _, at most 64, and not sse or message.',
  ],
  [
    'servers:\n  a: { command: x }\ncluster: { redis: "redis://127.0.0.1" }',
    expect.stringMatching(/^3 error cluster has no secret \| Write secret: /),
  ],
  [
    'servers:\n  a: { command: x }\ncluster: { redis: "redis://127.0.0.1", secret: changeme }',
    expect.stringMatching(/^3 error cluster\.secret is shorter than 32 characters \| /),
  ],
  [
    'servers:\n  a: { command: x }\ncluster: { secret: "0123456789012345678901234567890123456789" }',
    '3 error cluster needs one of redis and postgres | Write redis: "redis://…".',
  ],
  [
    'servers:\n  a: { command: x, tools: { t: { name: "no way" } } }',
    '2 error servers.a.tools.t.name is not a name that models can call: "no way" | Use letters, digits, _ and -, at most 64.',
  ],
  [
    'servers:\n  a: { command: x, tools: { t: { hidden: true } } }',
    '2 error servers.a.tools.t.hidden is unknown | Did you mean "hide"?',
  ],
  [
    'servers:\n  a:\n    command: x\n    tools:\n      t: { arguments: { b: { value: 1, default: 2 } } }',
    '5 error servers.a.tools.t "b": "value" is always sent, so "default" never is: leave one out | Correct the rule.',
  ],
  [
    'servers:\n  a: { command: x, args: ["${MISSING}"] }',
    '2 error args.0 ${MISSING} has no value | Set MISSING in the environment, or write ${MISSING:-default}.',
  ],
])('says where a mistake is and what to write: %#', async (text, expected) => {
  expect(await problemsOf(text)).toEqual([expected])
})

test('every mistake is reported, each with its line and column, and $schema is none', async () => {
  const text =
    '$schema: x\nservers: {}\npage: { prot: 1, hots: a, keep: much }\nlisten:\n  http: 3000\n  ws: 1\n'
  const folder = folderWith({ 'gateway.yaml': text })
  const { problems } = await loadGatewayConfig(join(folder, 'gateway.yaml'), { env: {} })

  expect(problems.map(({ line, column, key }) => `${line}:${column} ${key}`)).toEqual([
    '6:7 listen.ws',
    '3:33 page.keep',
    '3:15 page.prot',
    '3:24 page.hots',
  ])
})

test('telemetry is off, on, or on with values', async () => {
  const read = async (line: string) => {
    const folder = folderWith({ 'gateway.yaml': `servers: {}\n${line}\n` })
    const { config } = await loadGatewayConfig('gateway.yaml', { cwd: folder, env: {} })
    return config.telemetry
  }

  expect(await read('')).toBeUndefined()
  expect(await read('telemetry: false')).toBeUndefined()
  expect(await read('telemetry: true')).toEqual({})
  expect(await read('telemetry: { values: true }')).toEqual({ values: true })
  expect(await read('telemetry: { metrics: true }')).toEqual({ metrics: true })
  expect(await problemsOf('servers: {}\ntelemetry: { value: true }\n')).toEqual([
    '2 error telemetry.value is unknown | Did you mean "values"?',
  ])
})
