import { resolve } from 'node:path'

import { readConfig, type ReadConfig } from '../read-config.ts'
import { syntaxOf, type ConfigSyntax } from './config-document.ts'
import { formatOfPath } from './config-format.ts'

/** Data about a text besides its content. */
export interface ConfigTextOptions {
  /** The name of the file it was, which tells JSON, YAML and TOML apart. @defaultValue by how the text begins */
  readonly name?: string | undefined
  /** Where relative paths begin. */
  readonly cwd: string
}

/**
 * Reads a configuration that was pasted or dropped, as `loadConfig` reads a file. What people copy out of a file counts
 * too: the servers without the key around them, or one of them without braces.
 */
export function readConfigText(text: string, { name, cwd }: ConfigTextOptions): ReadConfig {
  const syntax = name === undefined ? guessedSyntax(text) : syntaxOf(name)
  const file = resolve(cwd, name ?? `pasted.${syntax}`)
  const location = { file, format: formatOfPath(file), scope: 'given' } as const
  const whole = readConfig(text, location, { cwd })
  if (whole.entries.length > 0) return whole
  for (const attempt of attempts(text, syntax)) {
    const read = readConfig(attempt, location, { cwd })
    if (read.entries.length > 0) return read
  }
  return whole
}

/** By how the text begins: a table or an assignment is TOML, a brace or a quote JSON. */
function guessedSyntax(text: string): ConfigSyntax {
  const body = text.replace(/^(?:\s|#[^\n]*\n)+/, '')
  if (/^(?:\[[^\n]*\]|[\w.-]+[ \t]*=)/.test(body)) return 'toml'
  return /^\s*(?:[{"]|\/[/*])/.test(text) ? 'json' : 'yaml'
}

function attempts(text: string, syntax: ConfigSyntax): readonly string[] {
  if (syntax === 'toml') return [] // its tables say where they belong
  return syntax === 'yaml' ? [indented(text)] : wrapped(text)
}

/** On the first line, so that lines keep their numbers. */
function wrapped(text: string): readonly string[] {
  const inside = text.trim().replace(/,$/, '')
  return [`{${inside}}`, `{"mcpServers":${inside}}`, `{"mcpServers":{${inside}}}`]
}

function indented(text: string): string {
  return `mcpServers:\n${text.replaceAll(/^/gm, '  ')}`
}
