import type { ServerEntry } from '@parley/mcp/client'

import { isRecord, listOf, recordOf, textOf } from '../json.ts'

/** A server of a configuration, or why it cannot be added. */
export type PastedServer = { readonly name: string } & (
  | { readonly entry: ServerEntry }
  | { readonly why: string }
)

/** Reads what people keep in `mcp.json` and the like; undefined: that is no such thing. */
export function readConfigText(text: string): readonly PastedServer[] | undefined {
  const value = parse(text)
  if (!isRecord(value)) return undefined
  const block = value['mcpServers'] ?? value['servers'] ?? value['context_servers'] ?? value
  if (!isRecord(block)) return undefined
  const servers = Object.entries(block).map(([name, entry]) => ({ name, ...readEntry(entry) }))
  return servers.some((server) => 'entry' in server || block !== value) ? servers : undefined
}

/** A single entry is often copied without the braces around it. */
function parse(text: string): unknown {
  for (const attempt of [text, `{${text.trim().replace(/,$/, '')}}`]) {
    try {
      return JSON.parse(attempt)
    } catch {
      // the next, or none
    }
  }
  return undefined
}

function readEntry(value: unknown): { readonly entry: ServerEntry } | { readonly why: string } {
  const given = recordOf(value)
  const command = textOf(given['command'])
  const url = textOf(given['url']) ?? textOf(given['serverUrl']) ?? textOf(given['httpUrl'])
  if (command === undefined && url === undefined) return { why: 'it has neither command nor url' }
  const entry = command === undefined ? readUrl(given, url ?? '') : readCommand(given, command)
  const variable = /\$\{[^}]*\}/.exec(JSON.stringify(entry))?.[0]
  if (variable === undefined) return { entry }
  return { why: `${variable} has no value here; npx @parley/cli inspect --config knows variables` }
}

function readCommand(given: { readonly [name: string]: unknown }, command: string): ServerEntry {
  const env = textsOf(given['env'])
  const cwd = textOf(given['cwd'])
  return {
    command,
    args: listOf(given['args']).map(wordOf),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== undefined && cwd !== '' && { cwd }),
  }
}

function readUrl(given: { readonly [name: string]: unknown }, url: string): ServerEntry {
  const headers = textsOf(given['headers'])
  const type = textOf(given['type'])
  return {
    url,
    ...((type === 'sse' || type === 'ws' || type === 'http') && { type }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

function textsOf(value: unknown): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(recordOf(value)).map(([name, text]) => [name, wordOf(text)]),
  )
}

/** Numbers and switches are often written without quotes. */
function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
