import { isJsonObject } from '@parley/mcp/json'

import { readSettings, type SettingsFault } from '../../settings/read-settings.ts'
import type { ConfigMember } from '../files/config-document.ts'
import type { ConfigProblem, EntrySettings, EntryTarget, RawObject } from './config-entry.ts'
import { serverEntry, serverSettings, type ServerSettings } from './server-settings.ts'

/** An entry, or the problems with it. */
export type ReadEntry =
  | { readonly ok: true; readonly target: EntryTarget; readonly settings: EntrySettings }
  | { readonly ok: false }

/** Tells what is wrong where. */
export type Report = (
  level: ConfigProblem['level'],
  key: string | undefined,
  message: string,
  fix?: string,
) => void

/** Reads one entry in any of the dialects; what is wrong is reported, and only an error spoils it. */
export function readEntry({ node }: ConfigMember, report: Report): ReadEntry {
  let isBroken = false
  const notify: Report = (level, key, message, fix) => {
    isBroken ||= level === 'error'
    report(level, key, message, fix)
  }
  if (!isJsonObject(node.value)) {
    const fix = 'Write { "command": "…", "args": ["…"] } or { "url": "…" }.'
    notify('error', undefined, 'must be an object', fix)
    return { ok: false }
  }
  const faults: SettingsFault[] = []
  const entry = readSettings(serverEntry, inOurWords(node.value), [], faults)
  for (const { path, message, fix } of faults) notify('error', path.join('.'), message, fix)
  const target = entry && readTarget(entry, node.value, notify)
  if (entry === undefined || target === undefined || isBroken) return { ok: false }
  return { ok: true, target, settings: settingsOf(entry) }
}

/** The keys that count for this kind of server, also where another product has another name for one. Null counts as absent. */
function inOurWords(entry: RawObject): RawObject {
  const { serverUrl, httpUrl, protocolEra, connectionTimeout, requestTimeout, enabled } = entry
  const { timeout, roots, oauth } = entry
  const limits: RawObject = isJsonObject(timeout) ? timeout : { request: timeout }
  const words: RawObject = {
    ...entry,
    url: entry['url'] ?? serverUrl ?? httpUrl,
    era: entry['era'] ?? protocolEra,
    timeout: present({
      ...limits,
      connect: limits['connect'] ?? connectionTimeout,
      request: limits['request'] ?? requestTimeout,
    }),
    roots: Array.isArray(roots)
      ? roots.map((root: unknown) => (isJsonObject(root) ? root['uri'] : root))
      : roots,
    disabled: enabled === false ? true : entry['disabled'],
    oauth:
      isJsonObject(oauth) && typeof oauth['scope'] === 'string'
        ? { ...oauth, scopes: oauth['scope'].split(/\s+/).filter(Boolean) }
        : oauth,
  }
  const isCommand = (words['url'] ?? undefined) === undefined
  const unused = isCommand ? ['headers'] : ['args', 'env', 'envFile', 'cwd', 'inheritEnv']
  const known = Object.entries(words).filter(
    ([name]) => Object.hasOwn(serverSettings, name) && !unused.includes(name),
  )
  return present(Object.fromEntries(known))
}

function present(members: RawObject): RawObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  )
}

function settingsOf({
  era,
  timeout = {},
  roots,
  tags,
  disabled,
  oauth,
}: ServerSettings): EntrySettings {
  const { connect, request, max } = typeof timeout === 'number' ? { request: timeout } : timeout
  return {
    era,
    connectMs: connect,
    requestMs: request,
    maxMs: max,
    roots: roots ?? [],
    tags: tags ?? [],
    isDisabled: disabled ?? false,
    oauth: oauth && {
      clientId: oauth.clientId,
      clientSecret: oauth.clientSecret,
      scopes: oauth.scopes,
    },
  }
}

function readTarget(
  entry: ServerSettings,
  raw: RawObject,
  report: Report,
): EntryTarget | undefined {
  const { command, url, type } = entry
  if (command !== undefined && url !== undefined) {
    report('error', 'url', 'has both a command and a url', 'Keep only one of them.')
    return undefined
  }
  if (url !== undefined) return urlTarget(entry, url, report)
  if (command !== undefined) return commandTarget(entry, command, report)
  const missing = type === undefined || type === 'stdio' ? 'command' : 'url'
  report('error', missing, `has no ${missing}`, misspelt(raw) ?? fixMissing(missing))
  return undefined
}

/** A key that is nearly one of ours. */
function misspelt(entry: RawObject): string | undefined {
  for (const key of Object.keys(entry)) {
    const letters = key.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (/^(?:comm?m?and|cmd|comamnd|commnad|commad)s?$/.test(letters))
      return `Write "command" instead of "${key}".`
    if (/^(?:uri|address|endpoint|link|serveruri)$/.test(letters))
      return `Write "url" instead of "${key}".`
  }
  return undefined
}

function fixMissing(missing: 'command' | 'url'): string {
  return missing === 'url'
    ? 'Add "url": "https://…".'
    : 'Add "command": "npx" and "args", or "url" for a server on the network.'
}

function commandTarget(entry: ServerSettings, command: string, report: Report): EntryTarget {
  const { type, args, env, envFile, cwd, inheritEnv } = entry
  if (type !== undefined && type !== 'stdio') {
    const fix = 'Use "stdio" or leave it out.'
    report('error', 'type', `does not match a command: ${JSON.stringify(type)}`, fix)
  }
  if (args === undefined && /\s/.test(command) && !/[\\/]/.test(command)) {
    const [program, ...rest] = command.trim().split(/\s+/)
    const better = `"command": ${JSON.stringify(program)}, "args": ${JSON.stringify(rest)}`
    const what = 'looks like a whole command line, and no shell splits it'
    report('warning', 'command', what, `Write ${better}.`)
  }
  const inherited =
    typeof inheritEnv === 'boolean' ? (inheritEnv ? 'all' : 'minimal') : (inheritEnv ?? 'minimal')
  return {
    kind: 'command',
    command,
    args: args ?? [],
    env: env ?? {},
    envFile,
    cwd,
    inheritEnv: inherited,
  }
}

function urlTarget(entry: ServerSettings, url: string, report: Report): EntryTarget {
  const { type, headers } = entry
  if (!url.includes('${') && !/^(?:https?|wss?):\/\//i.test(url)) {
    report('error', 'url', `is not a URL to connect to: ${url}`, 'Use http:, https:, ws: or wss:.')
  }
  const kind = type === undefined ? undefined : urlTypes.get(type)
  if (type !== undefined && kind === undefined) {
    const fix = 'Use "http", "sse" or "ws".'
    report('error', 'type', `does not match a url: ${JSON.stringify(type)}`, fix)
  }
  return { kind: 'url', type: kind, url, headers: headers ?? {} }
}

const urlTypes = new Map<string, 'http' | 'sse' | 'ws'>([
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
  ['ws', 'ws'],
  ['websocket', 'ws'],
])
