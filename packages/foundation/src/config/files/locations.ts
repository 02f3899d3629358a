import { join } from 'node:path'

import type { ConfigScope } from '../entries/config-entry.ts'
import type { ConfigFormat } from './config-format.ts'

/** A place where a product keeps its configuration. */
export interface ConfigLocation {
  /** The file, whether or not it exists. */
  readonly file: string
  /** Which product's format it has. */
  readonly format: ConfigFormat
  /** The scope of the file: the project's or the user's. */
  readonly scope: ConfigScope
}

/** The values that decide where the files are. */
export interface LocationOptions {
  /** The project's folder. */
  readonly cwd: string
  /** The user's home folder. */
  readonly home: string
  /** Environment variables, such as `APPDATA`. */
  readonly env: { readonly [name: string]: string | undefined }
  /** The operating system. */
  readonly platform: NodeJS.Platform
}

/** Every place we know, nearest first: a project's before the user's, ours before those of others. */
export function configLocations(options: LocationOptions): readonly ConfigLocation[] {
  const { cwd, home, env } = options
  const settings = settingsFolder(options)
  const project = (file: string, format: ConfigFormat): ConfigLocation => ({
    file: join(cwd, file),
    format,
    scope: 'project',
  })
  const user = (file: string, format: ConfigFormat): ConfigLocation => ({
    file,
    format,
    scope: 'user',
  })
  return [
    project('mcp.json', 'parley'),
    project('mcp.yaml', 'parley'),
    project('.mcp.json', 'claude-code'),
    project('.vscode/mcp.json', 'vscode'),
    project('.cursor/mcp.json', 'cursor'),
    project('.codex/config.toml', 'codex'),
    ...['mcp.json', 'mcp.yaml'].map((name) => user(join(ownFolder(options), name), 'parley')),
    user(join(home, '.claude.json'), 'claude-code'),
    user(join(settings, 'Claude/claude_desktop_config.json'), 'claude-desktop'),
    user(join(settings, 'Code/User/mcp.json'), 'vscode'),
    user(join(home, '.cursor/mcp.json'), 'cursor'),
    user(join(home, '.mcp-inspector/mcp.json'), 'inspector'),
    user(join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'), 'codex'),
  ]
}

/** Where applications keep settings on a platform. */
export function settingsFolder({ home, env, platform }: LocationOptions): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support')
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData/Roaming')
  return env['XDG_CONFIG_HOME'] || join(home, '.config')
}

/** The folder of our own user file. */
function ownFolder(options: LocationOptions): string {
  return join(settingsFolder(options), 'parley')
}
