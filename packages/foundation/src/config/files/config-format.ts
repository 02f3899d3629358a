import { basename, dirname } from 'node:path'

import { clientFormats, codexEntry, type WrittenFormat } from './client-formats.ts'

/** The product that defines the format of a configuration file. */
export type ConfigFormat =
  | 'parley'
  | 'claude-desktop'
  | 'claude-code'
  | 'vscode'
  | 'cursor'
  | 'inspector'
  | 'codex'

/** The differences between formats. */
export interface FormatRules {
  readonly title: string
  readonly serversKey: string
  /** Whether the file may define questions. */
  readonly hasInputs: boolean
  readonly hasRemote: boolean
  /** Whether a remote entry names its `type`. */
  readonly hasType: boolean
  readonly hasEnvFile: boolean
  readonly hasCwd: boolean
  /** How a variable of the environment is written; `none` where there are no variables, `forwarded` where they have keys of their own. */
  readonly variables: 'plain' | 'prefixed' | 'braces' | 'secrets' | 'forwarded' | 'none'
  /** How the file is written. @defaultValue 'json' */
  readonly syntax?: 'json' | 'yaml' | 'toml'
  /** Whether the servers are a list, each with its `name`. */
  readonly hasList?: boolean
  /** The content of a new file besides the servers. */
  readonly blank?: string
  /** Makes the entry as the product has it, where that is not `command` and `args`, or `type` and `url`. */
  readonly shape?: (entry: PlainEntry, name: string, note: (text: string) => void) => object
}

/** An entry as most products have it. */
export type PlainEntry =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly env: { readonly [name: string]: string }
      readonly cwd?: string | undefined
    }
  | {
      readonly kind: 'url'
      readonly type: string
      readonly url: string
      readonly headers: { readonly [name: string]: string }
    }

/** All formats we read. */
export const configFormats = {
  parley: {
    title: 'Parley',
    serversKey: 'mcpServers',
    hasInputs: true,
    hasRemote: true,
    hasType: true,
    hasEnvFile: true,
    hasCwd: true,
    variables: 'plain',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    serversKey: 'mcpServers',
    hasInputs: false,
    hasRemote: false,
    hasType: false,
    hasEnvFile: false,
    hasCwd: false,
    variables: 'none',
  },
  'claude-code': {
    title: 'Claude Code',
    serversKey: 'mcpServers',
    hasInputs: false,
    hasRemote: true,
    hasType: true,
    hasEnvFile: false,
    hasCwd: false,
    variables: 'plain',
  },
  vscode: {
    title: 'VS Code',
    serversKey: 'servers',
    hasInputs: true,
    hasRemote: true,
    hasType: true,
    hasEnvFile: true,
    hasCwd: true,
    variables: 'prefixed',
  },
  cursor: {
    title: 'Cursor',
    serversKey: 'mcpServers',
    hasInputs: false,
    hasRemote: true,
    hasType: false,
    hasEnvFile: true,
    hasCwd: false,
    variables: 'prefixed',
  },
  inspector: {
    title: 'MCP Inspector',
    serversKey: 'mcpServers',
    hasInputs: false,
    hasRemote: true,
    hasType: true,
    hasEnvFile: false,
    hasCwd: true,
    variables: 'none',
  },
  codex: {
    title: 'Codex',
    serversKey: 'mcp_servers',
    hasInputs: false,
    hasRemote: true,
    hasType: false,
    hasEnvFile: false,
    hasCwd: true,
    variables: 'forwarded',
    syntax: 'toml',
    shape: codexEntry,
  },
} as const satisfies Record<ConfigFormat, FormatRules>

/** A format that we write; some are not read. */
export type WritableFormat = ConfigFormat | WrittenFormat

/** The rules of a format, without the exact values of the table. */
export function rulesOf(format: WritableFormat): FormatRules {
  return isConfigFormat(format) ? configFormats[format] : clientFormats[format]
}

/** Names of all formats that we write. */
export const writableFormats: readonly WritableFormat[] = [
  ...names(configFormats),
  ...names(clientFormats),
]

function names<T extends object>(table: T): readonly (keyof T)[] {
  return Object.keys(table) as (keyof T)[] // a table has no other keys
}

/** True for the name of a format that we write. */
export function isWritableFormat(name: string): name is WritableFormat {
  return isConfigFormat(name) || Object.hasOwn(clientFormats, name)
}

/** True for the name of a format. */
export function isConfigFormat(name: string): name is ConfigFormat {
  return Object.hasOwn(configFormats, name)
}

/** Which product a file belongs to, by its name and folder; what it holds may still say otherwise. */
export function formatOfPath(file: string): ConfigFormat {
  const name = basename(file)
  const folder = basename(dirname(file))
  if (/\.toml$/i.test(name)) return 'codex' // the one product that writes it
  if (name === 'claude_desktop_config.json') return 'claude-desktop'
  if (name === '.mcp.json' || name === '.claude.json') return 'claude-code'
  if (folder === '.vscode' || folder === 'User') return 'vscode'
  if (folder === '.cursor') return 'cursor'
  if (folder === '.mcp-inspector') return 'inspector'
  return 'parley'
}
