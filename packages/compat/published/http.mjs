#!/usr/bin/env node
/**
 * Runs published servers over HTTP, and published clients, on the official SDK and on `@parley/compat`, and compares what they answer
 * and print.
 *
 * `node packages/compat/published/http.mjs [NAME …]` installs them from npm into a temporary folder. Build first. Prints
 * `N passed, N failed`.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const register = new URL('../dist/register.js', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'parley-http-'))
const everything = '@modelcontextprotocol/server-everything@2026.8.31'

/**
 * Servers: how each is told to listen, and where.
 *
 * @type {readonly { name: string, path: string, args?: (port: number) => string[], env?: (port: number) => object }[]}
 */
const servers = [
  {
    name: everything,
    path: '/mcp',
    args: () => ['streamableHttp'],
    env: (port) => ({ PORT: String(port) }),
  },
  {
    name: '@antv/mcp-server-chart@0.9.10',
    path: '/mcp',
    args: (port) => ['--transport', 'streamable', '--port', String(port)],
  },
  {
    name: 'airtable-mcp-server@1.14.0',
    path: '/mcp',
    env: (port) => ({ MCP_TRANSPORT: 'http', PORT: String(port), AIRTABLE_API_KEY: 'none' }),
  },
  {
    name: '@aashari/boilerplate-mcp-server@3.2.0',
    path: '/mcp',
    env: (port) => ({ TRANSPORT_MODE: 'http', PORT: String(port) }),
  },
  {
    name: 'mcp-server-code-runner@0.1.8',
    path: '/mcp',
    args: () => ['--transport', 'http'],
    env: (port) => ({ PORT: String(port) }),
  },
  {
    name: '@zereight/mcp-gitlab@2.1.64',
    path: '/mcp',
    env: (port) => ({
      STREAMABLE_HTTP: 'true',
      PORT: String(port),
      GITLAB_PERSONAL_ACCESS_TOKEN: 'none',
      STREAMABLE_HTTP_AUTH_TOKEN: 'token',
    }),
  },
  {
    name: '@notionhq/notion-mcp-server@2.5.2',
    path: '/mcp',
    args: (port) => ['--transport', 'http', '--port', String(port), '--auth-token', 'token'],
    env: () => ({ NOTION_TOKEN: 'none' }),
  },
]

const inspector = '@modelcontextprotocol/inspector-cli'
const adapters = [
  '@langchain/mcp-adapters@1.0.3',
  '@langchain/core@1.2.13',
  '@langchain/langgraph@1.0.0',
]
const target = join(
  folder,
  'server/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

/**
 * @typedef {{ readonly http: number, readonly sse: number }} Ports
 *
 * @typedef {object} Client
 * @property {string} name
 * @property {readonly string[]} install
 * @property {string | ((ports: Ports) => string)} program a file, or the text of a module
 * @property {(ports: Ports) => string[]} [args]
 */

/** The command line of the Inspector. @param {string} name @param {(ports: Ports) => string[]} args @returns {Client} */
const inspect = (name, args) => ({
  name: `${inspector} ${name}`,
  install: [`${inspector}@0.21.2`],
  program: 'node_modules/@modelcontextprotocol/inspector-cli/build/index.js',
  args,
})

/** Clients: the program, and what it does with a server of the official SDK. @type {readonly Client[]} */
const clients = [
  inspect('lists over stdio', () => [execPath, target, '--method', 'tools/list']),
  inspect('calls over stdio', () => [execPath, target, ...callOf('echo', 'message=a')]),
  inspect('calls over HTTP', (ports) => [
    urlOf(ports.http, '/mcp'),
    ...callOf('get-sum', 'a=1', 'b=2'),
  ]),
  inspect('reads over HTTP', (ports) => [urlOf(ports.http, '/mcp'), '--method', 'resources/list']),
  inspect('lists over SSE', (ports) => [urlOf(ports.sse, '/sse'), '--method', 'prompts/list']),
  inspect('calls over SSE', (ports) => [urlOf(ports.sse, '/sse'), ...callOf('echo', 'message=a')]),
  {
    name: '@langchain/mcp-adapters over stdio',
    install: adapters,
    program: () => langchain({ transport: 'stdio', command: execPath, args: [target] }),
  },
  {
    name: '@langchain/mcp-adapters over HTTP',
    install: adapters,
    program: (ports) => langchain({ transport: 'http', url: urlOf(ports.http, '/mcp') }),
  },
]

/** @param {number} port @param {string} path */
function urlOf(port, path) {
  return `http://127.0.0.1:${port}${path}`
}

/** @param {string} tool @param {readonly string[]} args */
function callOf(tool, ...args) {
  const pairs = args.flatMap((pair) => ['--tool-arg', pair])
  return ['--method', 'tools/call', '--tool-name', tool, ...pairs]
}

/** @param {object} connection */
function langchain(connection) {
  return `import { MultiServerMCPClient } from '@langchain/mcp-adapters'
    const client = new MultiServerMCPClient({ mcpServers: { s: ${JSON.stringify(connection)} } })
    const tools = await client.getTools()
    console.log(tools.map(({ name, description }) => [name, description]))
    console.log(await tools.find(({ name }) => name.endsWith('echo')).invoke({ message: 'a' }))
    await client.close()`
}

const names = argv.slice(2)
/** @param {{ name: string }} entry */
const isAsked = ({ name }) => names.length === 0 || names.some((one) => name.startsWith(one))
let passed = 0
let failed = 0
try {
  for (const server of servers.filter(isAsked)) {
    await compare(server.name, await install([server.name]), (cwd, sdk) =>
      recordHttp(server, cwd, sdk),
    )
  }
  const asked = clients.filter(isAsked)
  if (asked.length > 0) {
    await install([everything], 'server')
    const ports = { http: await freePort(), sse: await freePort() }
    const children = [
      start(target, ['streamableHttp'], { PORT: String(ports.http) }, 'official', folder),
      start(target, ['sse'], { PORT: String(ports.sse) }, 'official', folder),
    ]
    try {
      for (const port of Object.values(ports)) await isReady(port)
      for (const client of asked) {
        const cwd = await install(client.install)
        await compare(client.name, cwd, (where, sdk) => recordClient(client, ports, where, sdk))
      }
    } finally {
      for (const child of children) child.kill()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
exit(failed === 0 ? 0 : 1)

/** @param {string} name @param {string} cwd @param {(cwd: string, sdk: string) => Promise<unknown>} record */
async function compare(name, cwd, record) {
  let verdict = 'different'
  try {
    const official = await record(cwd, 'official')
    const own = await record(cwd, 'parley')
    if (isDeepStrictEqual(own, official)) verdict = 'equal'
    else {
      const again = await record(cwd, 'official')
      if (isDeepStrictEqual(own, again)) verdict = 'equal'
      else if (!isDeepStrictEqual(official, again)) verdict = 'unstable'
      else if (env['VERBOSE']) console.log(JSON.stringify([official, own]))
    }
  } catch (error) {
    verdict = `does not run: ${error instanceof Error ? error.message : String(error)}`
  }
  if (verdict === 'equal') passed++
  else failed++
  console.log(`${verdict === 'equal' ? '✓' : '✗'} ${name}: ${verdict}`)
}

/** @param {readonly string[]} packages @param {string} [name] */
async function install(packages, name = packages.join('-').replaceAll(/[^\w.-]/g, '_')) {
  const cwd = join(folder, name)
  if (existsSync(cwd)) return cwd
  mkdirSync(cwd, { recursive: true })
  const overrides = { '@modelcontextprotocol/sdk': '1.32.2' }
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ private: true, type: 'module', overrides }),
  )
  const child = spawn(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...packages],
    { cwd, stdio: 'ignore' },
  )
  await new Promise((resolve) => child.once('close', resolve))
  // The command line of the Inspector reads its version from the package that it is part of.
  const scope = join(cwd, 'node_modules/@modelcontextprotocol')
  if (existsSync(scope))
    writeFileSync(join(scope, 'package.json'), '{ "name": "i", "version": "0" }')
  return cwd
}

/** @param {string} file @param {readonly string[]} args @param {object} more @param {string} sdk @param {string} cwd */
function start(file, args, more, sdk, cwd) {
  const imports = sdk === 'parley' ? ['--import', register] : []
  return spawn(execPath, [...imports, file, ...args], {
    cwd,
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

/** @param {Client} client @param {Ports} ports @param {string} cwd @param {string} sdk */
async function recordClient({ program, args }, ports, cwd, sdk) {
  const file = join(cwd, typeof program === 'string' ? program : 'program.mjs')
  if (typeof program !== 'string') writeFileSync(file, program(ports))
  const child = start(file, args?.(ports) ?? [], {}, sdk, cwd)
  child.stdin.end()
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  if (text.trim() === '') throw new Error(`no output, code ${code}`)
  return [code, parsed(text)]
}

/** Zod puts the fields in an order of its own, so texts of JSON are compared as data. @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @param {(typeof servers)[number]} server @param {string} cwd @param {string} sdk */
async function recordHttp({ name, path, args, env: variables }, cwd, sdk) {
  const port = await freePort()
  const file = binOf(cwd, name.replace(/(.)@[^/]*$/, '$1'))
  const child = start(file, args?.(port) ?? [], variables?.(port) ?? {}, sdk, cwd)
  child.stdout.resume()
  try {
    await isReady(port)
    return await converse(`http://127.0.0.1:${port}${path}`, port)
  } finally {
    child.kill('SIGKILL')
  }
}

/** The program of an installed package. @param {string} cwd @param {string} name */
function binOf(cwd, name) {
  const root = join(cwd, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return join(root, typeof bin === 'string' ? bin : String(Object.values(bin)[0]))
}

/** @param {string} url @param {number} port */
async function converse(url, port) {
  /** @type {unknown[]} */
  const transcript = []
  /** @type {Record<string, string>} */
  let session = {}
  let id = 0
  /** @param {object | string | undefined} body @param {{ method?: string, headers?: object }} [options] */
  async function send(body, { method = 'POST', headers = {} } = {}) {
    const response = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer token',
        ...session,
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }),
      }),
      signal: AbortSignal.timeout(20_000),
    })
    const sessionId = response.headers.get('mcp-session-id')
    if (sessionId) session = { 'mcp-session-id': sessionId }
    let text = await response.text()
    const current = session['mcp-session-id']
    if (current !== undefined) text = text.replaceAll(current, 'SESSION')
    text = text.replaceAll(String(port), 'PORT').replaceAll(/^id: .*$/gm, 'id: ID')
    transcript.push([
      method,
      body,
      response.status,
      response.headers.get('content-type'),
      sessionId !== null,
      text,
    ])
  }
  /** @param {string} method @param {object} [params] */
  const request = (method, params) => send({ id: ++id, method, ...(params && { params }) })

  await send({ id: 'early', method: 'tools/list' })
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'transcript', version: '1' },
  })
  await send({ method: 'notifications/initialized' })
  for (const method of ['tools/list', 'resources/list', 'prompts/list', 'ping', 'no/such/method'])
    await request(method)
  await request('tools/call', { name: 'no such tool', arguments: {} })
  await request('tools/call', {})
  await send('{')
  await send({ id: 'x', method: 'ping' }, { headers: { accept: 'text/plain' } })
  await send({ id: 'x', method: 'ping' }, { headers: { 'content-type': 'text/plain' } })
  await send({ id: 'x', method: 'ping' }, { headers: { 'mcp-protocol-version': '1999-01-01' } })
  await send({ id: 'x', method: 'ping' }, { headers: { 'mcp-session-id': 'none' } })
  await send(undefined, { method: 'DELETE' })
  await request('ping')
  return transcript
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Waits until something answers there. @param {number} port */
async function isReady(port) {
  for (let round = 0; round < 150; round++) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (response) return
    await sleep(200)
  }
  throw new Error(`nothing listens on port ${port}`)
}
