import { basename } from 'node:path'

import { isSecretName } from '../secrets/secret-names.ts'
import type { ConfigEntry, InputDefinition } from './config-entry.ts'
import { rulesOf, type ConfigFormat, type FormatRules } from './config-format.ts'
import { editConfig } from './edit-config.ts'
import { inputVariable } from './inputs.ts'
import { namesIn } from './variables.ts'

/** Entries as another product writes them. */
export interface ExportedConfig {
  readonly format: ConfigFormat
  /** By name, to be put under the format's key. */
  readonly servers: { readonly [name: string]: object }
  readonly inputs: readonly { readonly id: string }[]
  /** A whole file with nothing else in it. */
  readonly text: string
  /** What the other product cannot have, and what was made of it. */
  readonly notes: readonly string[]
}

/** How to export. */
export interface ExportOptions {
  /**
   * What becomes of secrets that stand in the file: variables of the environment instead, or as they are.
   * @defaultValue 'variables'
   */
  readonly secrets?: 'variables' | 'keep' | undefined
}

/** Writes entries for another product. Secrets become variables unless told otherwise. */
export function exportConfig(
  entries: readonly ConfigEntry[],
  format: ConfigFormat,
  { secrets = 'variables' }: ExportOptions = {},
): ExportedConfig {
  const rules = rulesOf(format)
  const notes: string[] = []
  const pairs = entries.map((entry) => {
    const note = (text: string) => notes.push(`${entry.name}: ${text}`)
    return [entry.name, exportEntry(entry, format, rules, secrets, note)] as const
  })
  const servers = Object.fromEntries(pairs)
  const inputs = rules.hasInputs ? usedInputs(entries, servers) : []
  const { after: text } = editConfig({ file: 'mcp.json', text: '', format, servers, inputs })
  return { format, servers, inputs, text, notes }
}

/** Entries of any product as our own file writes them; what only theirs has stays in it. */
export function importConfig(
  entries: readonly ConfigEntry[],
  options: ExportOptions = {},
): ExportedConfig {
  return exportConfig(entries, 'parley', options)
}

type Note = (text: string) => void

function exportEntry(
  entry: ConfigEntry,
  format: ConfigFormat,
  rules: FormatRules,
  secrets: 'variables' | 'keep',
  note: Note,
): object {
  const { target, name } = entry
  const text = (value: string) => convertVariables(value, entry, rules, note)
  const map = (values: { readonly [name: string]: string }, isHeader: boolean) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const hidden =
          secrets === 'variables' && isLiteralSecret(key, value)
            ? hide(key, value, isHeader ? `${name}_${key}` : key, note)
            : value
        return [key, text(hidden)]
      }),
    )
  const kept = format === 'parley' ? ownKeys(entry) : {}
  if (target.kind === 'url') {
    const headers = map(target.headers, true)
    const url = text(target.url)
    if (!rules.hasRemote) return bridged(url, headers, note)
    return {
      ...(rules.hasType && { type: target.type ?? 'http' }),
      url,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...kept,
    }
  }
  const { command, args, cwd, envFile } = target
  const env = map(target.env, false)
  if (cwd !== undefined && !rules.hasCwd) note(`cwd is left out: ${rules.title} has none`)
  if (envFile !== undefined && !rules.hasEnvFile) {
    note(`envFile is left out: ${rules.title} has none; put its variables into env`)
  }
  return {
    ...(format === 'vscode' && { type: 'stdio' }),
    command: text(command),
    ...(args.length > 0 && { args: args.map(text) }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== undefined && rules.hasCwd && { cwd: text(cwd) }),
    ...(envFile !== undefined && rules.hasEnvFile && { envFile: text(envFile) }),
    ...kept,
  }
}

/** What an entry says besides how to reach the server; only we have all of it. */
function ownKeys({ raw }: ConfigEntry): object {
  const reached = new Set(
    'type command args env envFile cwd url serverUrl httpUrl headers protocolEra'.split(' '),
  )
  const others = Object.entries(raw).filter(([key]) => !reached.has(key))
  const { protocolEra } = raw
  return { ...Object.fromEntries(others), ...(protocolEra !== undefined && { era: protocolEra }) }
}

/** For a product that only starts commands. */
function bridged(url: string, headers: { readonly [name: string]: string }, note: Note): object {
  note('is reached through the command mcp-remote, since only commands can be started there')
  const pairs = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`])
  return { command: 'npx', args: ['-y', 'mcp-remote', url, ...pairs] }
}

function isLiteralSecret(name: string, value: string): boolean {
  return isSecretName(name) && !value.includes('${') && value !== ''
}

function hide(key: string, value: string, variable: string, note: Note): string {
  const name = variable.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
  const [scheme = ''] = /^(?:Bearer|Basic) /i.exec(value) ?? []
  note(`the value of ${key} is not copied; set ${name} in the environment`)
  return `${scheme}\${${name}}`
}

function convertVariables(
  value: string,
  { folder }: ConfigEntry,
  { variables, hasInputs, title }: FormatRules,
  note: Note,
): string {
  return value.replaceAll(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    const [, source, rest = ''] = /^(\w+):(?!-)(.*)$/s.exec(inside) ?? []
    if (source === 'input' && hasInputs) return whole
    if (inside.startsWith('workspaceFolder') && variables === 'plain' && !hasInputs) {
      return inside === 'workspaceFolderBasename' ? basename(folder) : folder
    }
    const name = source === 'input' ? inputVariable(rest) : source === 'env' ? rest : inside
    const isPlain = /^[A-Z_a-z]\w*(?::-.*)?$/s.test(name)
    if (!isPlain || isWord(inside)) return whole
    if (source === 'input') note(`asks no questions in ${title}; set ${name} in the environment`)
    if (variables === 'none') note(`\${${name}} is not replaced by ${title}; write its value there`)
    if (variables === 'prefixed' && name.includes(':-')) note(`the default of \${${name}} is lost`)
    return variables === 'prefixed' ? `\${env:${name.split(':-', 1)[0]}}` : `\${${name}}`
  })
}

function isWord(name: string): boolean {
  return /^(?:workspaceFolder|workspaceFolderBasename|userHome|cwd|pathSeparator)$/.test(name)
}

function usedInputs(
  entries: readonly ConfigEntry[],
  servers: object,
): readonly { readonly id: string }[] {
  const ids = new Set(namesIn(JSON.stringify(servers), 'input'))
  const known = new Map(entries.flatMap(({ inputs }) => [...inputs]))
  return [...ids].flatMap((id) => {
    const input = known.get(id)
    return input === undefined ? [] : [writeInput(input)]
  })
}

function writeInput(input: InputDefinition): { readonly id: string } {
  if (input.type === 'pickString')
    return JSON.parse(JSON.stringify(input)) as { readonly id: string } // without what is undefined
  const { isPassword, ...rest } = input
  const written = { ...rest, ...(isPassword && { password: true }) }
  return JSON.parse(JSON.stringify(written)) as { readonly id: string } // as above
}
