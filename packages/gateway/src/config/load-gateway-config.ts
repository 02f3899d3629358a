import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

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
import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { checkNames } from '../checks/check-names.ts'
import type { CheckProblem } from '../checks/check-problem.ts'
import type { ConfiguredChecks } from '../checks/read-checks.ts'
import { namingStrategies } from '../naming/naming.ts'
import { readAuth, readIncoming, readSignInClient } from './auth-settings.ts'
import { readCluster, type ClusterSettings } from './cluster-settings.ts'
import { createConfigReader, type ConfigReader } from './config-reader.ts'
import { checkRights } from './file-rights.ts'
import { bareEntry, fillInVariables, type Resolve } from './fill-in-variables.ts'
import type { LoadedGatewayConfig, OperatedParts } from './gateway-config.ts'
import { readListen } from './listen-settings.ts'
import { readPage } from './page-settings.ts'
import { readProfiles } from './profiles.ts'
import { isAboutOpenApi, openApiEntries, readServers, type Reading } from './read-servers.ts'
import { readSearch } from './search-settings.ts'
import { sectionNames } from './sections.ts'
import { readStatusShown } from './status-settings.ts'
import { readTelemetry } from './telemetry-settings.ts'
import { readTokens } from './token-settings.ts'

/** Where values of variables come from. */
export interface LoadGatewayOptions extends Pick<ResolveOptions, 'cwd' | 'env' | 'home'> {
  /** Fills in the variables of an entry. @defaultValue from the environment */
  readonly resolve?: ((entry: ConfigEntry) => Promise<Resolution>) | undefined
}

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
  if (root && !isForeign) reader.object(root, '', sectionNames)
  const imports = reader.texts(root, 'import', 'import') ?? []
  const files = [path, ...imports.map((each) => withHome(each, home, dirname(path)))]
  const { entries, problems: read } = await loadConfig({ ...options, cwd, home, files })
  await checkRights(files, problems)
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
    env: options.env,
    path,
    incoming,
    files,
    resolveWith,
  }
  const servers = await readServers([...entries, ...openApiEntries(root, path)], reading)
  const tokens = await readTokens(reading, servers)
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
        sections: sectionsOf(root, guarding),
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
  const section = isJsonObject(root?.value) ? root.value : {}
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
  const value = memberOf(root, 'cluster')?.node.value
  if (value === undefined) return undefined
  const problems: CheckProblem[] = []
  const settings = readCluster(value as JsonValue, problems) // a file is JSON once it is read
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

/** Each section as it is written; that about callers with its variables filled in. */
function sectionsOf(
  root: ConfigNode | undefined,
  guarding: ConfigNode | undefined,
): OperatedParts['sections'] {
  const written = sectionNames.map((name) => [name, memberOf(root, name)?.node.value])
  return { ...Object.fromEntries(written), auth: guarding?.value } as OperatedParts['sections'] // JSON, as the document
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
