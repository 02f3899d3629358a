/**
 * Reads the file of a gateway: its own form, or a file with `mcpServers` as hosts have it. All mistakes are reported together, with
 * line and column. The code of checks is loaded only for a file that has some.
 */

import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

import { didYouMean } from '@parley/foundation/command-line'
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

import { checkNames } from '../checks/check-settings.ts'
import type { ConfiguredChecks } from '../checks/read-checks.ts'
import { incomingAuth, openAuth, signInClientOf } from './auth-settings.ts'
import { clusterSettings } from './cluster-settings.ts'
import { createConfigFaults, type ConfigFaults } from './config-faults.ts'
import { checkRights } from './file-rights.ts'
import { bareEntry, filledSections, fillInVariables, type Resolve } from './fill-in-variables.ts'
import type { LoadedGatewayConfig, OperatedContext } from './gateway-config.ts'
import { gatewaySections, sectionNames, sections, type SectionName } from './gateway-file.ts'
import { listenSettings } from './listen-settings.ts'
import { pageSettings } from './page-settings.ts'
import { profilesOf } from './profiles.ts'
import { isAboutOpenApi, openApiEntries, readServers, type Reading } from './read-servers.ts'
import { statusShown } from './status-settings.ts'
import { openTokens } from './token-settings.ts'

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
  const text = await readText(path)
  const root = readRoot(path, text)
  const faults = createConfigFaults(path, root, problems)
  const resolveWith: Resolve = (entry) => options.resolve?.(entry) ?? resolveEntry(entry, options)
  const isForeign = memberOf(root, 'mcpServers') !== undefined
  if (root && !isForeign) reportUnknown(root, faults)
  /** A section with its variables filled in; undefined if it is missing or wrong. */
  async function filledIn(name: SectionName): Promise<ConfigNode | undefined> {
    const node = memberOf(root, name)?.node
    return (
      node && fillInVariables(node, name, bareEntry(name, path, node.line), resolveWith, problems)
    )
  }
  const read = <Name extends SectionName>(name: Name, node = memberOf(root, name)?.node) =>
    node && faults.read(gatewaySections[name], node.value, [name])
  const imports = read('import') ?? []
  const files = [path, ...imports.map((each) => withHome(each, home, dirname(path)))]
  const { entries, problems: found } = await loadConfig({ ...options, cwd, home, files })
  await checkRights(files, problems)
  problems.unshift(...found.filter((problem) => !isAboutOpenApi(problem, root, path)))
  const folder = dirname(path)
  const guarding = await filledIn('auth')
  const auth = read('auth', guarding)
  const hasAuth = memberOf(root, 'auth') !== undefined
  const listen = listenSettings(
    read('listen', await filledIn('listen')),
    { hasAuth, folder },
    faults,
  )
  const cluster = read('cluster', await filledIn('cluster'))
  if (cluster && listen.to === 'stdio') {
    const what = 'does not work over stdio, which is one process'
    faults.fault(['cluster'], what, 'Remove it, or listen over HTTP.')
  }
  const { checks, ...checked } = await checksOf(root, { path, resolveWith, problems }, faults)
  const { policy, pinning, audit, auditLocation } = checked
  const reading: Reading = {
    faults,
    root,
    problems,
    env: options.env,
    path,
    incoming: incomingAuth(auth, listen),
    files,
    resolveWith,
  }
  const servers = await readServers([...entries, ...openApiEntries(root, path)], reading)
  const opened = await openAuth(auth, { folder, url: listen.url }, faults)
  const telemetry = read('telemetry')
  const tokens = read('tokens', await filledIn('tokens'))
  return {
    problems,
    config: {
      file: path,
      files,
      servers,
      naming: read('naming') ?? 'prefix',
      search: read('search'),
      tokens: await openTokens(tokens, reading, servers, cluster !== undefined),
      signInClient: signInClientOf(auth),
      listen,
      auth: opened?.guard,
      profiles: await profilesOf(read('profiles'), Object.keys(servers), faults),
      checks,
      cluster: cluster && clusterSettings(cluster),
      audit,
      status: (await statusShown(read('status'), ['status'], faults)) ?? 'own',
      page: pageSettings(read('page')),
      telemetry: telemetry === true ? {} : telemetry === false ? undefined : telemetry,
      operated: {
        text,
        document: documentOf(root),
        sections: sectionsOf(root, guarding),
        startSections: sectionNames.filter((name) => sections.get(name) === 'start'),
        keys: opened?.keys,
        policy,
        pinning,
        audit,
        auditLocation,
      },
    },
  }
}

/** Names at the top that are not in the declaration. The sections themselves are read one by one. */
function reportUnknown(root: ConfigNode, faults: ConfigFaults): void {
  const names = ['$schema', ...sectionNames]
  for (const { name } of root.members) {
    if (names.includes(name)) continue
    const meant = didYouMean(name, names)
    const fix = meant === undefined ? `Use ${names.join(', ')}.` : `Did you mean "${meant}"?`
    faults.fault([name], 'is unknown', fix)
  }
}

/** The code of checks is loaded only for a file that has some. */
async function checksOf(
  root: ConfigNode | undefined,
  { path, resolveWith, problems }: Pick<Reading, 'path' | 'resolveWith' | 'problems'>,
  faults: ConfigFaults,
): Promise<ConfiguredChecks> {
  if (root === undefined || !checkNames.some((name) => memberOf(root, name))) return noChecks
  const section = await filledSections(root, checkNames, path, resolveWith, problems)
  const { readChecks } = await import('../checks/read-checks.ts')
  const configured = readChecks(section, { folder: dirname(path) })
  for (const each of configured.problems) faults.fault(each.path, each.message, each.fix)
  return configured
}

const noChecks: ConfiguredChecks = {
  checks: [],
  policy: undefined,
  pinning: undefined,
  audit: undefined,
  auditLocation: undefined,
  problems: [],
}

/** As it is written; null where there is nothing that can be read. */
function documentOf(root: ConfigNode | undefined): JsonValue {
  return (root?.value ?? null) as JsonValue // read from text that can hold nothing else
}

/** Each section as it is written; that about callers with its variables filled in. */
function sectionsOf(
  root: ConfigNode | undefined,
  guarding: ConfigNode | undefined,
): OperatedContext['sections'] {
  const written = sectionNames.map((name) => [name, memberOf(root, name)?.node.value])
  return { ...Object.fromEntries(written), auth: guarding?.value } as OperatedContext['sections'] // JSON, as the document
}

/** A file that cannot be read is reported by the code that reads the servers. */
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
