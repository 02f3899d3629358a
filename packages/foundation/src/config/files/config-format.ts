import { basename, dirname } from 'node:path'

/** Whose way to write a configuration file. */
export type ConfigFormat =
  | 'parley'
  | 'claude-desktop'
  | 'claude-code'
  | 'vscode'
  | 'cursor'
  | 'inspector'
  | 'codex'

/** What distinguishes one format from another. */
export interface FormatRules {
  readonly title: string
  readonly serversKey: 'mcpServers' | 'servers' | 'mcp_servers'
  /** Whether the file may define questions. */
  readonly hasInputs: boolean
  readonly hasRemote: boolean
  /** Whether a remote entry names its `type`. */
  readonly hasType: boolean
  readonly hasEnvFile: boolean
  readonly hasCwd: boolean
  /** How a variable of the environment is written; `none` where there are no variables. */
  readonly variables: 'plain' | 'prefixed' | 'none'
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
    variables: 'none',
  },
} as const satisfies Record<ConfigFormat, FormatRules>

/** The rules of a format, without the exact values of the table. */
export function rulesOf(format: ConfigFormat): FormatRules {
  return configFormats[format]
}

/** A format that we write; TOML is only read, since an edit would lose its comments. */
export type WritableFormat = Exclude<ConfigFormat, 'codex'>

/** True for a format that we write. */
export function isWritableFormat(format: ConfigFormat): format is WritableFormat {
  return format !== 'codex'
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
