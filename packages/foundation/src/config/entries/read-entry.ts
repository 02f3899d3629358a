import { isJsonObject } from '@parley/mcp/json'

import type { ConfigMember } from '../files/config-document.ts'
import { optionalText, stringMap, stringList } from '../files/raw-values.ts'
import type { ConfigProblem, EntrySettings, EntryTarget, RawObject } from './config-entry.ts'
import { readSettings } from './read-settings.ts'

/** What an entry says, or what is wrong with it. */
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
    notify(
      'error',
      undefined,
      'must be an object',
      'Write { "command": "…", "args": ["…"] } or { "url": "…" }.',
    )
    return { ok: false }
  }
  const target = readTarget(node.value, notify)
  const settings = readSettings(node.value, notify)
  return target === undefined || isBroken ? { ok: false } : { ok: true, target, settings }
}

function readTarget(entry: RawObject, report: Report): EntryTarget | undefined {
  const { command, type } = entry
  const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl']
  if (command !== undefined && url !== undefined) {
    report('error', 'url', 'has both a command and a url', 'Keep only one of them.')
    return undefined
  }
  if (url !== undefined) return readUrl(entry, url, type, report)
  if (command === undefined) {
    const isStdio = type === undefined || type === 'stdio'
    const missing = isStdio ? 'command' : 'url'
    report('error', missing, `has no ${missing}`, misspelt(entry) ?? fixMissing(missing))
    return undefined
  }
  return readCommand(entry, command, type, report)
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

function readCommand(
  entry: RawObject,
  command: unknown,
  type: unknown,
  report: Report,
): EntryTarget | undefined {
  if (typeof command !== 'string' || command.trim() === '') {
    report(
      'error',
      'command',
      'must be a string',
      'Write the program in quotes: "command": "node".',
    )
    return undefined
  }
  if (type !== undefined && type !== 'stdio') {
    report(
      'error',
      'type',
      `does not match a command: ${JSON.stringify(type)}`,
      'Use "stdio" or leave it out.',
    )
  }
  if (entry['args'] === undefined && /\s/.test(command) && !/[\\/]/.test(command)) {
    const [program, ...args] = command.trim().split(/\s+/)
    const better = `"command": ${JSON.stringify(program)}, "args": ${JSON.stringify(args)}`
    report(
      'warning',
      'command',
      'looks like a whole command line, and no shell splits it',
      `Write ${better}.`,
    )
  }
  const { envFile, cwd } = entry
  return {
    kind: 'command',
    command,
    args: stringList(entry['args'], 'args', report),
    env: stringMap(entry['env'], 'env', report),
    envFile: optionalText(envFile, 'envFile', report),
    cwd: optionalText(cwd, 'cwd', report),
    inheritEnv: readInherited(entry['inheritEnv'], report),
  }
}

function readUrl(
  entry: RawObject,
  url: unknown,
  type: unknown,
  report: Report,
): EntryTarget | undefined {
  if (typeof url !== 'string' || url === '') {
    report('error', 'url', 'must be a string', 'Write the URL in quotes: "url": "https://…".')
    return undefined
  }
  if (!url.includes('${') && !/^(?:https?|wss?):\/\//i.test(url)) {
    report('error', 'url', `is not a URL to connect to: ${url}`, 'Use http:, https:, ws: or wss:.')
  }
  const kind = typeof type === 'string' ? urlTypes.get(type) : undefined
  if (type !== undefined && kind === undefined) {
    report('error', 'type', `is unknown: ${JSON.stringify(type)}`, 'Use "http", "sse" or "ws".')
  }
  return { kind: 'url', type: kind, url, headers: stringMap(entry['headers'], 'headers', report) }
}

const urlTypes = new Map<string, 'http' | 'sse' | 'ws'>([
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
  ['ws', 'ws'],
  ['websocket', 'ws'],
])

function readInherited(value: unknown, report: Report): 'minimal' | 'all' | readonly string[] {
  if (value === undefined || value === false || value === 'minimal') return 'minimal'
  if (value === true || value === 'all') return 'all'
  return stringList(value, 'inheritEnv', report)
}
