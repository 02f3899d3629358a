import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Limits, McpErrorCode, RpcErrorCode } from '@parley/mcp'
import type { HttpOptions } from '@parley/mcp/http'
import type { ServeHttpOptions } from '@parley/mcp/node'
import { expect, test } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const read = (page: string) => readFileSync(join(repository, page), 'utf8')

// Complete by their types: a new code does not compile here until it is added.
const rpcErrorCodes: Record<RpcErrorCode, true> = {
  parse_error: true,
  invalid_request: true,
  method_not_found: true,
  invalid_params: true,
  internal_error: true,
  resource_not_found: true,
  missing_client_capability: true,
  unsupported_version: true,
  header_mismatch: true,
  url_elicitation_required: true,
  input_refused: true,
  unauthorized: true,
  insufficient_scope: true,
  forbidden: true,
  session_not_found: true,
  limit_exceeded: true,
  overloaded: true,
  node_lost: true,
  other: true,
}
const mcpErrorCodes: Record<McpErrorCode, true> = {
  invalid_definition: true,
  invalid_schema: true,
  duplicate_name: true,
  invalid_target: true,
  unsupported_runtime: true,
  spawn_failed: true,
  unreachable: true,
  not_mcp: true,
  no_common_version: true,
  unauthorized: true,
  unsupported: true,
  timeout: true,
  connection_lost: true,
  session_lost: true,
  http_error: true,
  invalid_message: true,
  invalid_output: true,
  limit_exceeded: true,
  input_unavailable: true,
  input_refused: true,
  replay_diverged: true,
  task_ended: true,
  task_lost: true,
  cancelled: true,
  closed: true,
  draining: true,
}
const limits: Record<keyof Limits, true> = {
  messageBytes: true,
  depth: true,
  members: true,
  values: true,
  batchMessages: true,
  batchBytes: true,
  inFlight: true,
  callerBytes: true,
  totalBytes: true,
  clientBytes: true,
  bufferedBytes: true,
  inputMs: true,
  rounds: true,
  stateBytes: true,
  listPages: true,
  listItems: true,
  listBytes: true,
}

const httpOptions: Record<keyof HttpOptions, true> = {
  url: true,
  auth: true,
  allowedHosts: true,
  allowedOrigins: true,
  trustedProxies: true,
  sessions: true,
  sessionIdleMs: true,
  sessionMaxMs: true,
  maxLateMs: true,
  maxSessions: true,
  keepAliveMs: true,
  detachedMs: true,
  bodyMs: true,
  outputMs: true,
  replay: true,
  pollMs: true,
  legacySse: true,
  cluster: true,
  revisions: true,
  limits: true,
  secret: true,
  onError: true,
  onMessage: true,
  clock: true,
}
const listenOptions: Record<Exclude<keyof ServeHttpOptions, keyof HttpOptions>, true> = {
  port: true,
  host: true,
  path: true,
  tls: true,
  routes: true,
  others: true,
  card: true,
  healthRoutes: true,
  metrics: true,
  websocket: true,
  ownsProcess: true,
  drainMs: true,
  processes: true,
  allowAnonymous: true,
}

test('the page about errors has every code', () => {
  const [, rpc = '', mcp = ''] =
    /## RpcError(.*)## McpError(.*?)## Errors/s.exec(read('docs/errors.md')) ?? []

  expect(firstColumn(rpc)).toEqual(Object.keys(rpcErrorCodes))
  expect(firstColumn(mcp)).toEqual(Object.keys(mcpErrorCodes))
})

test('the page about limits has every limit', () => {
  const [, table = ''] = read('docs/limits.md').split('## ')

  expect(firstColumn(table)).toEqual(Object.keys(limits))
})

test('the page about HTTP has every option, in two tables', () => {
  const [, all = '', own = ''] =
    /## Options(.*)`serveHttp` also takes:(.*)## Other paths/s.exec(read('docs/http.md')) ?? []
  const named = (table: string) =>
    [...table.matchAll(/^\| ((?:`[A-Za-z]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Za-z]+)`/g)].map(([, name = '']) => name),
    )

  expect(named(all)).toEqual(Object.keys(httpOptions))
  expect(named(own)).toEqual(Object.keys(listenOptions))
})

test('the page about transports says how a connection is set up and messages are exchanged [CUST-03]', () => {
  const [, setup = '', exchange = ''] =
    /### Connection setup(.*)### Message exchange(.*)/s.exec(read('docs/transports.md')) ?? []

  for (const step of ['`initialize`', '`notifications/initialized`']) expect(setup).toContain(step)
  for (const word of ['JSON-RPC', 'order', 'clos']) expect(exchange).toContain(word)
})

test('every link in the documentation leads to a file and a heading', () => {
  const single = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md']
  const folders = ['', '/cli', '/internals', '/internals/requirements'].map((one) => `docs${one}`)
  const packages = ['packages', 'servers'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`),
  )

  const pages = [...single, ...[...folders, 'examples', ...packages].flatMap(listPages)]
  const broken = pages.flatMap(findBrokenLinks)

  expect(broken).toEqual([])
})

function listPages(folder: string): readonly string[] {
  const names = readdirSync(join(repository, folder)).filter((name) => name.endsWith('.md'))
  return names.map((name) => `${folder}/${name}`)
}

/** The names in the first cell of each row of the first table. */
function firstColumn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^\| `([A-Za-z_]+)` \|/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'limits')
}

/** Pages that npm shows name files of the repository by their address. */
const ownAddress = `${JSON.parse(read('package.json')).homepage.replace('#readme', '')}/blob/main/`

function findBrokenLinks(page: string): readonly string[] {
  const prose = read(page).replaceAll(/^```.*?^```$/gms, '')
  return [...prose.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
    ([, path = '', heading]) => {
      const own = path.startsWith(ownAddress) ? path.slice(ownAddress.length) : undefined
      if (own === undefined && /^https?:/.test(path)) return []
      const target = own ?? (path === '' ? page : join(dirname(page), path))
      if (!existsSync(join(repository, target))) return [`${page}: ${path} is not there`]
      if (heading === undefined || !target.endsWith('.md') || headingsOf(target).includes(heading))
        return []
      return [`${page}: ${path} has no heading #${heading}`]
    },
  )
}

/** As GitHub names them. */
function headingsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
