/**
 * Products whose files are written and not read, each in its documented format: `parley add --client` and `config export --to` use
 * them. Where an entry is not `command` and `args`, or `type` and `url`, a function makes it.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { FormatRules, PlainEntry } from './config-format.ts'
import { configLocations, settingsFolder, type LocationOptions } from './locations.ts'

/** A format that is written and not read. */
export type WrittenFormat =
  | 'windsurf'
  | 'zed'
  | 'gemini'
  | 'copilot'
  | 'opencode'
  | 'goose'
  | 'lmstudio'
  | 'cline'
  | 'continue'
  | 'jetbrains'

type Note = (text: string) => void

const common = {
  serversKey: 'mcpServers',
  hasInputs: false,
  hasRemote: true,
  hasType: false,
  hasEnvFile: false,
  hasCwd: false,
  variables: 'none',
} as const

/** All formats that are written and not read. */
export const clientFormats: { readonly [format in WrittenFormat]: FormatRules } = {
  windsurf: {
    ...common,
    title: 'Windsurf',
    variables: 'prefixed',
    shape: (entry) => (entry.kind === 'command' ? program(entry) : remote('serverUrl', entry)),
  },
  zed: { ...common, title: 'Zed', serversKey: 'context_servers' },
  gemini: {
    ...common,
    title: 'Gemini CLI',
    hasCwd: true,
    variables: 'plain',
    shape: (entry) =>
      entry.kind === 'command'
        ? program(entry)
        : remote(entry.type === 'sse' ? 'url' : 'httpUrl', entry),
  },
  copilot: {
    ...common,
    title: 'Copilot CLI',
    hasType: true,
    variables: 'plain',
    shape: (entry) =>
      entry.kind === 'command'
        ? { type: 'local', ...program(entry), tools: ['*'] }
        : { type: entry.type, ...remote('url', entry), tools: ['*'] },
  },
  opencode: {
    ...common,
    title: 'opencode',
    serversKey: 'mcp',
    variables: 'braces',
    shape: (entry) =>
      entry.kind === 'command'
        ? {
            type: 'local',
            command: [entry.command, ...entry.args],
            enabled: true,
            ...(isFilled(entry.env) && { environment: entry.env }),
          }
        : { type: 'remote', ...remote('url', entry), enabled: true },
  },
  goose: {
    ...common,
    title: 'goose',
    serversKey: 'extensions',
    syntax: 'yaml',
    variables: 'forwarded',
    shape: gooseEntry,
  },
  lmstudio: { ...common, title: 'LM Studio' },
  cline: {
    ...common,
    title: 'Cline',
    shape: (entry) =>
      entry.kind === 'command'
        ? { ...program(entry), disabled: false }
        : {
            type: entry.type === 'sse' ? 'sse' : 'streamableHttp',
            ...remote('url', entry),
            disabled: false,
          },
  },
  continue: {
    ...common,
    title: 'Continue',
    hasCwd: true,
    syntax: 'yaml',
    hasList: true,
    blank: 'name: Local Config\nversion: 1.0.0\nschema: v1\n',
    variables: 'secrets',
    shape: (entry, name) =>
      entry.kind === 'command'
        ? { name, type: 'stdio', ...program(entry) }
        : {
            name,
            type: entry.type === 'sse' ? 'sse' : 'streamable-http',
            url: entry.url,
            ...(isFilled(entry.headers) && { requestOptions: { headers: entry.headers } }),
          },
  },
  jetbrains: { ...common, title: 'JetBrains Junie', hasRemote: false },
}

type Program = Extract<PlainEntry, { kind: 'command' }>
type Remote = Extract<PlainEntry, { kind: 'url' }>

function isFilled(values: object): boolean {
  return Object.keys(values).length > 0
}

function program({ command, args, env, cwd }: Program): object {
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(isFilled(env) && { env }),
    ...(cwd !== undefined && { cwd }),
  }
}

function remote(key: string, { url, headers }: Remote): object {
  return { [key]: url, ...(isFilled(headers) && { headers }) }
}

/** A value that is a variable and nothing else, which products forward under a name. */
const onlyVariable = /^\$\{(?:(\w+):)?([\w-]+)\}$/

/** Variables that the product takes from its own environment, and what is left. */
function forwarded(
  values: { readonly [name: string]: string },
  title: string,
  note: Note,
): { readonly names: readonly string[]; readonly rest: { readonly [name: string]: string } } {
  const pairs = Object.entries(values)
  const names = pairs.filter(([, value]) => onlyVariable.test(value)).map(([name]) => name)
  for (const name of names) note(`${title} takes ${name} from its own environment: set it there`)
  return {
    names,
    rest: Object.fromEntries(pairs.filter(([, value]) => !onlyVariable.test(value))),
  }
}

function reportUnreplaced(texts: readonly string[], title: string, note: Note): void {
  for (const [variable] of texts.join('\n').matchAll(/\$\{[^{}]*\}/g)) {
    note(`${variable} is not replaced by ${title}; write its value there`)
  }
}

/** An entry of Codex: variables and tokens have keys of their own. */
export function codexEntry(entry: PlainEntry, _: string, note: Note): object {
  if (entry.kind === 'command') {
    const { names, rest } = forwarded(entry.env, 'Codex', note)
    reportUnreplaced([entry.command, ...entry.args, ...Object.values(rest)], 'Codex', note)
    return {
      ...program({ ...entry, env: {} }),
      ...(names.length > 0 && { env_vars: names }),
      ...(isFilled(rest) && { env: rest }),
    }
  }
  if (entry.type !== 'http') note('Codex reaches servers by streamable HTTP only')
  const headers = Object.entries(entry.headers)
  const variableOf = (value: string) => {
    const [, source, name = ''] = onlyVariable.exec(value) ?? []
    if (name === '') return undefined
    return source === 'input'
      ? `MCP_INPUT_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`
      : name
  }
  const fromVariable: [string, string][] = []
  const written: [string, string][] = []
  let token: string | undefined
  for (const [name, value] of headers) {
    const bearer = /^authorization$/i.test(name)
      ? variableOf(value.replace(/^Bearer /i, ''))
      : undefined
    const variable = bearer ?? variableOf(value)
    if (bearer !== undefined && /^Bearer /i.test(value)) token = bearer
    else if (variable === undefined) written.push([name, value])
    else fromVariable.push([name, variable])
    if (variable !== undefined)
      note(`Codex takes ${name} from its own environment: set ${variable} there`)
  }
  reportUnreplaced([entry.url, ...written.map(([, value]) => value)], 'Codex', note)
  return {
    url: entry.url,
    ...(token !== undefined && { bearer_token_env_var: token }),
    ...(written.length > 0 && { http_headers: Object.fromEntries(written) }),
    ...(fromVariable.length > 0 && { env_http_headers: Object.fromEntries(fromVariable) }),
  }
}

/** An entry of goose, whose own secrets are named in `env_keys`. */
function gooseEntry(entry: PlainEntry, name: string, note: Note): object {
  const shared = { enabled: true, name, timeout: 300 }
  if (entry.kind === 'command') {
    const { names, rest } = forwarded(entry.env, 'goose', note)
    reportUnreplaced([entry.command, ...entry.args, ...Object.values(rest)], 'goose', note)
    const { command: cmd, args } = entry
    return { ...shared, type: 'stdio', cmd, args, envs: rest, env_keys: names }
  }
  reportUnreplaced([entry.url, ...Object.values(entry.headers)], 'goose', note)
  const type = entry.type === 'sse' ? 'sse' : 'streamable_http'
  return {
    ...shared,
    type,
    uri: entry.url,
    ...(isFilled(entry.headers) && { headers: entry.headers }),
  }
}

/** The file of a product to write to: one of the project if it exists, else that of the user. */
export function clientFile(format: WrittenFormat | 'codex', options: LocationOptions): string {
  const candidates = filesOf(format, options)
  return candidates.find((file) => existsSync(file)) ?? candidates.at(-1) ?? ''
}

function filesOf(format: WrittenFormat | 'codex', options: LocationOptions): readonly string[] {
  const { cwd, home, env, platform } = options
  const settings = settingsFolder(options)
  const config =
    platform === 'win32' ? join(home, '.config') : env['XDG_CONFIG_HOME'] || join(home, '.config')
  switch (format) {
    case 'windsurf':
      return [join(home, '.codeium/windsurf/mcp_config.json')]
    case 'zed': {
      const zed = platform === 'win32' ? join(settings, 'Zed') : join(config, 'zed')
      return [join(cwd, '.zed/settings.json'), join(zed, 'settings.json')]
    }
    case 'gemini':
      return [join(cwd, '.gemini/settings.json'), join(home, '.gemini/settings.json')]
    case 'copilot':
      return [join(env['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json')]
    case 'opencode':
      return [
        ...['opencode.json', 'opencode.jsonc'].map((file) => join(cwd, file)),
        ...['opencode.jsonc', 'opencode.json'].map((file) => join(config, 'opencode', file)),
      ]
    case 'goose':
      return [
        platform === 'win32'
          ? join(settings, 'Block/goose/config/config.yaml')
          : join(config, 'goose/config.yaml'),
      ]
    case 'lmstudio':
      return [join(home, '.lmstudio/mcp.json')]
    case 'cline':
      return [
        join(
          settings,
          'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
        ),
      ]
    case 'continue':
      return [join(home, '.continue/config.yaml')]
    case 'jetbrains':
      return [join(cwd, '.junie/mcp/mcp.json'), join(home, '.junie/mcp/mcp.json')]
    case 'codex':
      return configLocations(options).flatMap((location) =>
        location.format === 'codex' ? [location.file] : [],
      )
  }
}
