import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run } from '../run.ts'
import { watchSpans } from '../span-names.ts'

const everything = repositoryFile('servers/everything/dist/main.js')

test('gateway run serves all servers of a file at one address', async () => {
  const server = { command: execPath, args: [everything, 'stdio'] }
  const cwd = folderWith({ 'mcp.json': JSON.stringify({ mcpServers: { a: server, b: server } }) })
  const controller = new AbortController()
  let names: Promise<readonly string[]> | undefined

  const ran = await run(['gateway', 'run', '--config', 'mcp.json', '--port', '0', '--json'], {
    cwd,
    env: { PARLEY_STATE: folderWith({}) },
    signal: controller.signal,
    onStdout: (text) => {
      const { event, url } = JSON.parse(text) as { readonly event: string; readonly url: string } // as it says with --json
      if (event === 'ready') {
        names = toolsAt(url).finally(() => controller.abort(new Error('enough')))
      }
    },
  })

  expect(await names).toEqual(expect.arrayContaining(['a__echo', 'b__echo']))
  expect(ran.stdout).toContain('"server":"a","state":"ready"')
})

test('telemetry: { metrics: true } serves figures for Prometheus at /metrics', async () => {
  const tools = createServer({ name: 'tools', version: '1.0.0' })
  tools.tool('echo', {}, () => 'echo')
  await using service = await serveHttp(tools, { port: 0, ownsProcess: false })
  const file = `servers:\n  one: { url: ${service.url.href} }\ntelemetry: { metrics: true }\n`
  const controller = new AbortController()
  let text: Promise<string> | undefined

  await run(['gateway', 'run', '--config', 'gateway.yaml', '--port', '0', '--json'], {
    cwd: folderWith({ 'gateway.yaml': file }),
    env: { PARLEY_STATE: folderWith({}) },
    signal: controller.signal,
    onStdout: (line) => {
      const { event, url } = JSON.parse(line) as { readonly event: string; readonly url: string } // as it says with --json
      if (event === 'ready') {
        text = figuresAfterCall(url).finally(() => controller.abort(new Error('enough')))
      }
    },
  })

  expect(await text).toMatch(/^mcp_server_ready 1$/m)
  expect(await text).toMatch(
    /^mcp_server_operation_duration_seconds_count\{.*mcp_method_name="tools\/call".*\} 1$/m,
  )
})

async function figuresAfterCall(url: string): Promise<string> {
  {
    await using client = await connect(url)
    await vi.waitFor(async () => expect(await client.listTools().toArray()).not.toHaveLength(0))
    await client.callTool('one__echo')
  }
  return (await fetch(new URL('/metrics', url))).text()
}

async function toolsAt(url: string): Promise<readonly string[]> {
  await using client = await connect(url, { timeouts: { connectMs: 60_000 } })
  for await (const tools of client.watch('tools')) {
    const names = tools.map(({ name }) => name)
    if (names.includes('a__echo') && names.includes('b__echo')) return names
  }
  return []
}

test('a running gateway follows its file, says how its servers are, and drains', async () => {
  const server = `{ command: ${JSON.stringify(execPath)}, args: [${JSON.stringify(everything)}, stdio] }`
  const cwd = folderWith({ 'gateway.yaml': `servers:\n  a: ${server}\n` })
  const env = { PARLEY_STATE: folderWith({}) }
  const events: string[] = []
  const received = async (part: string): Promise<void> =>
    vi.waitFor(() => expect(events.join('')).toContain(part))
  const running = run(['gateway', 'run', '--config', 'gateway.yaml', '--port', '0', '--json'], {
    cwd,
    env,
    onStdout: (text) => events.push(text),
    onStderr: (text) => events.push(text),
  })
  await received('"server":"a","state":"ready"')

  const status = await run(['gateway', 'status', 'gateway.yaml'], { cwd, env })
  expect(status.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp/)
  expect(status.stdout).toMatch(/a +ready/)
  writeFileSync(join(cwd, 'gateway.yaml'), `servers:\n  a: ${server}\n  b: ${server}\n`)
  await received('"event":"reload","added":["b"],"removed":[],"changed":[]')
  writeFileSync(join(cwd, 'gateway.yaml'), 'servers:\n  a: { comand: x }\n')
  await received(
    'reload failed: 1 error in the configuration. The gateway keeps its current configuration',
  )
  const refused = await run(['gateway', 'reload', 'gateway.yaml'], { cwd, env })
  expect(refused.stderr).toContain('the gateway refused: 1 error in the configuration')
  await run(['gateway', 'drain', 'gateway.yaml'], { cwd, env })
  expect(await running).toMatchObject({ code: 0 })

  const gone = await run(['gateway', 'status', 'gateway.yaml'], { cwd, env })
  expect(gone.code).toBe(4)
  expect(gone.stderr).toContain('no gateway of this user runs with')
})

test('gateway import adds servers to the file, and export writes them for another program', async () => {
  const cwd = folderWith({
    'gateway.yaml': '# ours\nservers:\n  a: { command: first }\n',
    'other.json': '{ "mcpServers": { "b": { "command": "second" } } }',
  })

  const imported = await run(['gateway', 'import', '--config', 'other.json', '--yes'], { cwd })
  const exported = await run(['gateway', 'export', '--to', 'vscode', '--config', 'gateway.yaml'], {
    cwd,
  })

  expect(imported).toMatchObject({ code: 0 })
  const written = readFileSync(join(cwd, 'gateway.yaml'), 'utf8')
  expect(written).toMatch(/^# ours\nservers:\n {2}a: .*first.*\n {2}b:\n {4}command: second/)
  expect(JSON.parse(exported.stdout)).toMatchObject({
    servers: { a: { command: 'first' }, b: { command: 'second' } },
  })
})

test('gateway check names file, line and cure of each mistake', async () => {
  const cwd = folderWith({
    'gateway.yaml': 'servers:\n  git: { command: git, mode: all }\nnameing: prefix\n',
  })

  const ran = await run(['gateway', 'check', 'gateway.yaml'], { cwd })

  expect(ran.code).toBe(6)
  expect(ran.stdout).toContain('gateway.yaml:2:30: error: servers.git.mode is unknown: "all"')
  expect(ran.stdout).toContain('gateway.yaml:3:10: error: nameing is unknown')
  expect(ran.stderr).toContain('2 errors in the configuration')
})

test('gateway check and explain say as whom a server is called, and no secret', async () => {
  const cwd = folderWith({
    'gateway.yaml': `
listen: { url: "https://gw.example/mcp" }
auth: { jwt: { issuer: "https://id.example" } }
policy: ["true"]
servers:
  docs: { url: "https://docs.example/mcp", auth: { type: user } }
  news: { url: "https://news.example/mcp", auth: { type: static, bearer: hidden-token } }
  bank: { url: "https://bank.example/mcp", auth: { type: client-credentials, clientId: gw, clientSecret: hidden } }
`,
  })

  const checked = await run(['gateway', 'check', 'gateway.yaml'], { cwd })
  const json = await run(['gateway', 'check', 'gateway.yaml', '--json'], { cwd })
  const line = ['gateway', 'explain', 'gateway.yaml', '--upstream', 'docs', '--tool', 'a']
  const explained = await run(line, { cwd })

  expect(checked.code).toBe(0)
  expect(checked.stdout).toContain('as each caller, who signs in')
  expect(JSON.parse(json.stdout)).toMatchObject({
    calledAs: {
      news: 'the same for all callers, by Authorization',
      bank: 'as the gateway: client gw with a secret',
    },
  })
  expect(explained.stdout).toContain('the server is called as each caller, who signs in')
  expect(`${checked.stdout}${json.stdout}${explained.stdout}`).not.toContain('hidden')
})

test('gateway run starts nothing with a file that has errors, or without one', async () => {
  const cwd = folderWith({ 'gateway.yaml': 'servers:\n  git: { comand: git }\n' })

  const broken = await run(['gateway', 'run', '--config', 'gateway.yaml'], { cwd })
  const none = await run(['gateway', 'run'], { cwd })

  expect(broken.code).toBe(6)
  expect(broken.stderr).toContain('gateway.yaml:2: error: servers.git.command has no command')
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('which file? none was named')
})

test('gateway run listens on loopback only while nobody is checked', async () => {
  const cwd = folderWith({ 'gateway.yaml': 'servers:\n  git: { command: git }\n' })

  const ran = await run(
    ['gateway', 'run', '--config', 'gateway.yaml', '--host', '0.0.0.0', '--port', '0'],
    { cwd },
  )

  expect(ran.code).not.toBe(0)
  expect(ran.stderr).toMatch(/0\.0\.0\.0/)
})

test('gateway run --page prints a link to its page, and gateway page another', async () => {
  const server = `{ command: ${JSON.stringify(execPath)}, args: [${JSON.stringify(everything)}, stdio] }`
  const cwd = folderWith({ 'gateway.yaml': `servers:\n  a: ${server}\n` })
  const env = { PARLEY_STATE: folderWith({}) }
  const events: string[] = []
  const running = run(
    ['gateway', 'run', '--config', 'gateway.yaml', '--port', '0', '--json', '--page', '0'],
    { cwd, env, onStdout: (text) => events.push(text) },
  )
  await vi.waitFor(() => expect(events.join('')).toContain('"event":"page"'))

  const link = await run(['gateway', 'page', 'gateway.yaml'], { cwd, env })
  await run(['gateway', 'drain', 'gateway.yaml'], { cwd, env })

  expect(await running).toMatchObject({ code: 0 })
  const printed = /"event":"page","url":"(http:\/\/127\.0\.0\.1:\d+\/#secret=[\w-]+)"/.exec(
    events.join(''),
  )
  expect(link.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#secret=[\w-]+\n$/)
  expect(link.stdout.trim()).not.toBe(printed?.[1])
  expect(new URL(link.stdout.trim()).port).toBe(new URL(printed?.[1] ?? '').port)
})

test('gateway page says what to do where there is none', async () => {
  const server = `{ command: ${JSON.stringify(execPath)}, args: [${JSON.stringify(everything)}, stdio] }`
  const cwd = folderWith({ 'gateway.yaml': `servers:\n  a: ${server}\n` })
  const env = { PARLEY_STATE: folderWith({}) }
  const events: string[] = []
  const running = run(['gateway', 'run', '--config', 'gateway.yaml', '--port', '0', '--json'], {
    cwd,
    env,
    onStdout: (text) => events.push(text),
  })
  await vi.waitFor(() => expect(events.join('')).toContain('"event":"ready"'))

  const link = await run(['gateway', 'page', 'gateway.yaml'], { cwd, env })
  await run(['gateway', 'drain', 'gateway.yaml'], { cwd, env })

  expect(await running).toMatchObject({ code: 0 })
  expect(link.stderr).toContain(
    'it has no page: start it with --page, or write page: true in its file',
  )
})

test('gateway run tells OpenTelemetry of what arrives and what it sends on, if the file says so', async () => {
  const spans = watchSpans()
  const server = createServer({ name: 'hello', version: '1.0.0' })
  server.tool('hello', {}, () => 'hello')
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  const file = `servers:\n  one: { url: ${service.url.href} }\ntelemetry: true\n`
  const controller = new AbortController()
  let called: Promise<unknown> | undefined

  const ran = await run(['gateway', 'run', '--config', 'gateway.yaml', '--port', '0', '--json'], {
    cwd: folderWith({ 'gateway.yaml': file }),
    env: { PARLEY_STATE: folderWith({}) },
    signal: controller.signal,
    onStdout: (text) => {
      const { event, url } = JSON.parse(text) as { readonly event: string; readonly url: string } // as above
      if (event === 'ready') called = callHello(url).finally(() => controller.abort())
    },
  })

  expect(await called, ran.stderr).toMatchObject({ content: [{ text: 'hello' }] })
  expect(spans.filter((span) => span.includes('tools/call'))).toEqual([
    'SERVER tools/call one__hello',
    'CLIENT tools/call hello',
  ])
})

async function callHello(url: string): Promise<unknown> {
  await using client = await connect(url)
  return await client.callTool('one__hello')
}
