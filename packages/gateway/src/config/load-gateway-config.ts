import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

import type { TokenStore } from '@parley/auth/client'
import type { AuditLog } from '@parley/foundation/audit'
import {
  loadConfig,
  memberOf,
  readDocument,
  resolveEntry,
  syntaxOf,
  type ConfigEntry,
  type ConfigNode,
  type ConfigProblem,
  type Resolution,
  type ResolveOptions,
} from '@parley/foundation/config'
import { stateFolder } from '@parley/foundation/secrets'
import type { JsonValue } from '@parley/mcp'
import type { ConnectOptions, ServerEntry } from '@parley/mcp/client'
import type { Guard } from '@parley/mcp/http'

import { checkNames } from '../checks/check-names.ts'
import type { CheckProblem } from '../checks/check-problem.ts'
import type { Check } from '../checks/check.ts'
import { isObject } from '../checks/json.ts'
import type { ConfiguredChecks } from '../checks/read-checks.ts'
import { serverName } from '../gateway/start-gateway.ts'
import type { StatusShown } from '../gateway/status.ts'
import type { ProofClient } from '../identity/browser-proof.ts'
import type { ApiKeyFile } from '../keys/api-key-file.ts'
import { namingStrategies, type NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { GatewayServer } from '../upstreams/server-options.ts'
import { readAuth, readIncoming, readSignInClient } from './auth-settings.ts'
import { readCluster, type ClusterSettings } from './cluster-settings.ts'
import { createConfigReader, type ConfigReader } from './config-reader.ts'
import { fillInVariables, type Resolve } from './fill-in-variables.ts'
import { readListen, type ListenSettings } from './listen-settings.ts'
import { readOutgoingAuth, type IncomingAuth } from './outgoing-auth-settings.ts'
import { readPage, type PageSettings } from './page-settings.ts'
import { readProfiles, type Profile } from './profiles.ts'
import { readSearch } from './search-settings.ts'
import { readServerSettings } from './server-settings.ts'
import { readStatusShown } from './status-settings.ts'
import { readTelemetry, type TelemetrySettings } from './telemetry-settings.ts'

/** What the file of a gateway says, variables filled in. */
export interface GatewayConfig {
  /** The file itself. */
  readonly file: string
  /** The file itself, and those that it imports. */
  readonly files: readonly string[]
  /** The servers by name. */
  readonly servers: { readonly [name: string]: GatewayServer }
  /** How clients call what the servers offer. */
  readonly naming: NamingStrategy
  /** Whether clients get a search instead of all tools; undefined for never. */
  readonly search: SearchSettings | undefined
  /** Where it listens. */
  readonly listen: ListenSettings
  /** Parts of it, by name; empty if there are none. */
  readonly profiles: { readonly [name: string]: Profile }
  /** What the file says about who may do what, in the order in which requests pass it. */
  readonly checks: readonly Check[]
  /** Who is let in; undefined for everybody, on loopback. */
  readonly auth: Guard | undefined
  /** Where tokens of callers for servers are kept, sealed. Undefined where no server needs any. */
  readonly tokens: TokenStore | undefined
  /** Who the gateway is at the issuer of its callers. */
  readonly signInClient: ProofClient | undefined
  /** How several processes are one gateway; see `openCluster`. */
  readonly cluster: ClusterSettings | undefined
  /** Dispose of it when the configuration is no longer used. Undefined where nothing is written down. */
  readonly audit: AuditLog | undefined
  /** What `gateway://status` tells callers. */
  readonly status: StatusShown
  /** The page; undefined where there is none. */
  readonly page: PageSettings | undefined
  /** What is told to OpenTelemetry; undefined for nothing. */
  readonly telemetry: TelemetrySettings | undefined
  /** For whoever runs the gateway: what its page and its commands work on. */
  readonly operated: OperatedParts
}

/** The parts of a configuration that somebody looks after while a gateway runs. */
export interface OperatedParts extends Pick<
  ConfiguredChecks,
  'policy' | 'pinning' | 'audit' | 'auditPlace'
> {
  /** The file itself, as it was read; undefined if it cannot be read. */
  readonly text: string | undefined
  /** Its values as they are written, variables not filled in. */
  readonly document: JsonValue
  /** With `auth: { keys: … }`. */
  readonly keys: ApiKeyFile | undefined
}

/** A configuration, and all that is wrong with it. One with errors is not to be used. */
export interface LoadedGatewayConfig {
  /** What the file says. */
  readonly config: GatewayConfig
  /** Errors and warnings, with file and line. */
  readonly problems: readonly ConfigProblem[]
}

/** Where values of variables come from. */
export interface LoadGatewayOptions extends Pick<ResolveOptions, 'cwd' | 'env' | 'home'> {
  /** Fills in the variables of an entry. @defaultValue from the environment */
  readonly resolve?: ((entry: ConfigEntry) => Promise<Resolution>) | undefined
}

const ownNames = [
  'servers',
  'mcpServers',
  'inputs',
  'listen',
  'auth',
  'tokens',
  'naming',
  'search',
  'profiles',
  'import',
  'cluster',
  'status',
  'page',
  'telemetry',
]

/** Reads the file of a gateway: its own form, or a file with `mcpServers` as hosts have it. */
export async function loadGatewayConfig(
  file: string,
  options: LoadGatewayOptions = {},
): Promise<LoadedGatewayConfig> {
  const { cwd = process.cwd(), home = homedir() } = options
  const path = resolve(cwd, file)
  const problems: ConfigProblem[] = []
  const reader = createConfigReader(path, problems)
  const text = await readText(path)
  const root = readRoot(path, text)
  const isForeign = memberOf(root, 'mcpServers') !== undefined
  if (root && !isForeign) reader.object(root, '', [...ownNames, ...checkNames])
  const imports = reader.texts(root, 'import', 'import') ?? []
  const files = [path, ...imports.map((each) => withHome(each, home, dirname(path)))]
  const { entries, problems: read } = await loadConfig({ ...options, cwd, home, files })
  problems.unshift(...read.filter((problem) => !isAboutOpenApi(problem, root, path)))
  const resolveWith: Resolve = (entry) => options.resolve?.(entry) ?? resolveEntry(entry, options)
  const written = memberOf(root, 'auth')?.node
  const guarding =
    written &&
    (await fillInVariables(written, 'auth', bareEntry('auth', path, 1), resolveWith, problems))
  const listen = readListen(reader, memberOf(root, 'listen')?.node, {
    hasAuth: written !== undefined,
    folder: dirname(path),
  })
  const cluster = clusterOf(root, reader)
  if (cluster && listen.to === 'stdio') {
    const at = memberOf(root, 'cluster')?.node
    const fix = 'Remove it, or listen over HTTP.'
    if (at) reader.fault(at, 'cluster', 'is of no use over stdio, which is one process', fix)
  }
  const { checks, ...checked } = await checksOf(root, reader, dirname(path))
  const { policy, pinning, audit, auditPlace } = checked
  const incoming = readIncoming(guarding, listen)
  const reading: Reading = {
    reader,
    root,
    problems,
    options,
    path,
    incoming,
    files,
    resolveWith,
  }
  const servers = await readServers([...entries, ...openApiEntries(root, path)], reading)
  const tokens = await readTokens(root, reading, servers)
  const auth = await readAuth(reader, guarding, { folder: dirname(path), url: listen.url })
  return {
    problems,
    config: {
      file: path,
      files,
      servers,
      naming: reader.choice(root, 'naming', 'naming', namingStrategies) ?? 'prefix',
      search: readSearch(reader, root, 'search'),
      tokens,
      signInClient: readSignInClient(reader, guarding),
      listen,
      auth: auth?.guard,
      profiles: await readProfiles(reader, memberOf(root, 'profiles')?.node, Object.keys(servers)),
      checks,
      cluster,
      audit,
      status: (await readStatusShown(reader, root)) ?? 'own',
      page: readPage(reader, memberOf(root, 'page')?.node),
      telemetry: readTelemetry(reader, memberOf(root, 'telemetry')?.node),
      operated: {
        text,
        document: documentOf(root),
        keys: auth?.keys,
        policy,
        pinning,
        audit,
        auditPlace,
      },
    },
  }
}

/** The code of checks is loaded only for a file that has some. */
async function checksOf(
  root: ConfigNode | undefined,
  reader: ConfigReader,
  folder: string,
): Promise<ConfiguredChecks> {
  const section = isObject(root?.value) ? root.value : {}
  if (!checkNames.some((name) => Object.hasOwn(section, name))) return noChecks
  const { readChecks } = await import('../checks/read-checks.ts')
  const configured = readChecks(section, { folder })
  tellProblems(root, reader, configured.problems)
  return configured
}

const noChecks: ConfiguredChecks = {
  checks: [],
  policy: undefined,
  pinning: undefined,
  audit: undefined,
  auditPlace: undefined,
  problems: [],
}

function clusterOf(
  root: ConfigNode | undefined,
  reader: ConfigReader,
): ClusterSettings | undefined {
  const given = memberOf(root, 'cluster')?.node.value
  if (given === undefined) return undefined
  const problems: CheckProblem[] = []
  const settings = readCluster(given as JsonValue, problems) // a file is JSON once it is read
  tellProblems(root, reader, problems)
  return settings
}

function tellProblems(
  root: ConfigNode | undefined,
  reader: ConfigReader,
  problems: readonly CheckProblem[],
): void {
  for (const { path, message, cure } of problems) {
    if (root) reader.fault(nodeAt(root, path), path.join('.'), message, cure)
  }
}

/** As it is written; null where there is nothing that can be read. */
function documentOf(root: ConfigNode | undefined): JsonValue {
  return (root?.value ?? null) as JsonValue // read from text that can hold nothing else
}

/** As near to it as there is something. */
function nodeAt(root: ConfigNode, path: readonly (string | number)[]): ConfigNode {
  let found = root
  for (const part of path) {
    const next = typeof part === 'number' ? found.items[part] : memberOf(found, part)?.node
    if (next === undefined) return found
    found = next
  }
  return found
}

/** What cannot be read at all is told of by whoever reads the servers. */
async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

function readRoot(path: string, text: string | undefined): ConfigNode | undefined {
  try {
    return text === undefined ? undefined : readDocument(text, syntaxOf(path)).root
  } catch {
    return undefined
  }
}

function withHome(path: string, home: string, folder: string): string {
  return path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(folder, path)
}

interface Reading {
  readonly reader: ConfigReader
  readonly root: ConfigNode | undefined
  readonly problems: ConfigProblem[]
  readonly options: LoadGatewayOptions
  readonly path: string
  readonly incoming: IncomingAuth
  /** Those that a change of means to read everything again. */
  readonly files: string[]
  readonly resolveWith: Resolve
}

async function readServers(
  entries: readonly ConfigEntry[],
  reading: Reading,
): Promise<GatewayConfig['servers']> {
  const { reader, root, problems, path, incoming, files, resolveWith } = reading
  const servers: [string, GatewayServer][] = []
  const seen = new Set<string>()
  for (const entry of entries) {
    const { name, source } = entry
    if (seen.has(name)) continue // the file itself goes before what it imports
    seen.add(name)
    const key = memberOf(root, 'mcpServers') ? 'mcpServers' : 'servers'
    const node = source.file === path ? memberOf(memberOf(root, key)?.node, name)?.node : undefined
    if (!serverName.test(name)) {
      problems.push({
        level: 'error',
        file: source.file,
        line: source.line,
        server: name,
        key: `${key}.${name}`,
        message: "cannot be the beginning of a tool's name",
        fix: 'Use letters, digits, - and single _, at most 32.',
      })
      continue
    }
    if (node && memberOf(node, 'openapi')) {
      const at = `${key}.${name}`
      const filled = await fillInVariables(node, at, entry, resolveWith, problems)
      const { readOpenApi } = await import('./openapi-settings.ts')
      const read =
        filled && (await readOpenApi(reader, filled, at, { folder: dirname(path), problems }))
      if (read?.file !== undefined) files.push(read.file)
      const given = defined(readServerSettings(reader, node, at))
      const isDisabled = memberOf(node, 'disabled')?.node.value === true && { isDisabled: true }
      if (read) servers.push([name, { ...read.entry, ...given, ...isDisabled }])
      continue
    }
    const resolved = await resolveWith(entry)
    if (!resolved.ok) {
      problems.push(...resolved.problems)
      continue
    }
    const { settings } = entry
    const auth = memberOf(node, 'auth')?.node
    const url = 'url' in resolved.entry ? resolved.entry.url : undefined
    const at = `${key}.${name}.auth`
    const filled = auth && (await fillInVariables(auth, at, entry, resolveWith, problems))
    const outgoing = filled && readOutgoingAuth(reader, filled, at, { url, incoming })
    servers.push([
      name,
      {
        ...withHeaders(resolved.entry, outgoing?.headers),
        ...(outgoing?.auth && { auth: outgoing.auth }),
        ...(settings.connectMs !== undefined && { startTimeoutMs: settings.connectMs }),
        ...(settings.requestMs !== undefined && { callTimeoutMs: settings.requestMs }),
        ...(settings.era !== undefined && { era: settings.era as ConnectOptions['era'] }), // checked when it was read
        ...(settings.isDisabled && { isDisabled: true }),
        ...(node && defined(readServerSettings(reader, node, `${key}.${name}`))),
      },
    ])
  }
  return Object.fromEntries(servers)
}

/** The server of an entry, with headers that are always the same. */
function withHeaders(
  entry: ServerEntry,
  headers: { readonly [name: string]: string } | undefined,
): ServerEntry {
  return 'url' in entry && headers ? { ...entry, headers: { ...entry.headers, ...headers } } : entry
}

/** `tokens: { folder, passphrase }`: only what acts for callers needs it. */
async function readTokens(
  root: ConfigNode | undefined,
  { reader, problems, options, path, resolveWith }: Reading,
  servers: GatewayConfig['servers'],
): Promise<TokenStore | undefined> {
  const given = memberOf(root, 'tokens')?.node
  const entry = bareEntry('tokens', path, given?.line ?? 1)
  const node = given && (await fillInVariables(given, 'tokens', entry, resolveWith, problems))
  const object = node && reader.object(node, 'tokens', ['folder', 'passphrase'])
  const folder = reader.text(object, 'folder', 'tokens.folder')
  const passphrase = reader.text(object, 'passphrase', 'tokens.passphrase')
  const isNeeded = Object.values(servers).some(({ auth }) => auth?.type === 'user')
  if (!isNeeded) return undefined
  const directory =
    folder === undefined
      ? join(stateFolder({ env: options.env }), 'gateway-tokens')
      : resolve(dirname(path), folder)
  const { fileStore } = await import('@parley/auth/node')
  return fileStore({ directory, passphrase })
}

/** Entries of a kind that other programs do not have. */
function openApiEntries(root: ConfigNode | undefined, path: string): readonly ConfigEntry[] {
  const servers = memberOf(root, 'servers')?.node
  return (servers?.members ?? [])
    .filter(({ node }) => memberOf(node, 'openapi') !== undefined)
    .map(({ name, line }) => bareEntry(name, path, line))
}

function bareEntry(name: string, file: string, line: number): ConfigEntry {
  return {
    name,
    source: { file, line, format: 'parley', scope: 'given' },
    raw: {},
    target: { kind: 'url', url: 'https://variables.invalid', headers: {} },
    settings: { roots: [], tags: [], isDisabled: false },
    folder: dirname(file),
    inputs: new Map(),
  }
}

/** That it has neither command nor url is no mistake there. */
function isAboutOpenApi(
  { server, file, key }: ConfigProblem,
  root: ConfigNode | undefined,
  path: string,
): boolean {
  if (server === undefined || file !== path || !/\b(?:command|url)$/.test(key ?? '')) return false
  const node = memberOf(memberOf(root, 'servers')?.node, server)?.node
  return memberOf(node, 'openapi') !== undefined
}

/** What was not said does not replace what was said elsewhere. */
function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as Partial<T> // the same members, or fewer
}
