import { resolve } from 'node:path'

import { formatOfPath } from './config-format.ts'
import { readConfig, type ReadConfig } from './read-config.ts'

/** What is known of a text besides what it says. */
export interface ConfigTextOptions {
  /** The name of the file it was, which tells JSON from YAML. @defaultValue by how the text begins */
  readonly name?: string | undefined
  /** Where relative paths begin. */
  readonly cwd: string
}

/**
 * Reads a configuration that was pasted or dropped, as `loadConfig` reads a file. What people copy out of a file counts
 * too: the servers without the key around them, or one of them without braces.
 */
export function readConfigText(text: string, { name, cwd }: ConfigTextOptions): ReadConfig {
  const isYaml = name === undefined ? !/^\s*(?:[{"]|\/[/*])/.test(text) : /\.ya?ml$/i.test(name)
  const file = resolve(cwd, name ?? (isYaml ? 'pasted.yaml' : 'pasted.json'))
  const location = { file, format: formatOfPath(file), scope: 'given' } as const
  const whole = readConfig(text, location, { cwd })
  if (whole.entries.length > 0) return whole
  for (const attempt of isYaml ? [indented(text)] : wrapped(text)) {
    const read = readConfig(attempt, location, { cwd })
    if (read.entries.length > 0) return read
  }
  return whole
}

/** On the first line, so that lines keep their numbers. */
function wrapped(text: string): readonly string[] {
  const inside = text.trim().replace(/,$/, '')
  return [`{${inside}}`, `{"mcpServers":${inside}}`, `{"mcpServers":{${inside}}}`]
}

function indented(text: string): string {
  return `mcpServers:\n${text.replaceAll(/^/gm, '  ')}`
}
