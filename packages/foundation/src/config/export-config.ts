import type { ConfigEntry, InputDefinition } from './entries/config-entry.ts'
import { createSecretHider, type SecretHider } from './entries/hide-secrets.ts'
import { rulesOf, type WritableFormat, type FormatRules } from './files/config-format.ts'
import { editConfig } from './files/edit-config.ts'
import { convertVariables, type Note } from './variables/export-variables.ts'
import { namesIn } from './variables/variables.ts'

/** Entries as another product writes them. */
export interface ExportedConfig {
  /** Which product's format it is. */
  readonly format: WritableFormat
  /** By name, to be put under the format's key. */
  readonly servers: { readonly [name: string]: object }
  /** Questions that the file asks its user, for formats that have them. */
  readonly inputs: readonly { readonly id: string }[]
  /** A whole file with nothing else in it. */
  readonly text: string
  /** Settings that the other product does not have, and what they became. */
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
  format: WritableFormat,
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
  const file = `mcp.${rules.syntax ?? 'json'}`
  const { after: text } = editConfig({ file, text: '', format, servers, inputs })
  return { format, servers, inputs, text, notes }
}

/** Entries of any product as our own file writes them; what only theirs has stays in it. */
export function importConfig(
  entries: readonly ConfigEntry[],
  options: ExportOptions = {},
): ExportedConfig {
  return exportConfig(entries, 'parley', options)
}

function exportEntry(
  entry: ConfigEntry,
  format: WritableFormat,
  rules: FormatRules,
  secrets: 'variables' | 'keep',
  note: Note,
): object {
  const { target, name } = entry
  const hider = secrets === 'variables' ? createSecretHider(name, note) : undefined
  const text = (value: string) => convertVariables(value, entry, rules, note)
  const map = (values: { readonly [name: string]: string }, prefix: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        return [key, text(hider?.value(key, value, prefix + key) ?? value)]
      }),
    )
  const extraKeys = format === 'parley' ? ownKeys(entry, hider) : {}
  if (target.kind === 'url') {
    const headers = map(target.headers, `${name}_`)
    const url = text(target.url)
    if (!rules.hasRemote) return bridged(url, headers, note)
    const type = target.type ?? 'http'
    if (rules.shape) return rules.shape({ kind: 'url', type, url, headers }, name, note)
    return {
      ...(rules.hasType && { type }),
      url,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...extraKeys,
    }
  }
  const { command, cwd, envFile } = target
  const args = hider?.args(target.args) ?? target.args
  const env = map(target.env, '')
  if (cwd !== undefined && !rules.hasCwd)
    note(`cwd is left out: ${rules.title} does not support it`)
  if (envFile !== undefined && !rules.hasEnvFile) {
    note(`envFile is left out: ${rules.title} does not support it; put its variables into env`)
  }
  const folder = cwd !== undefined && rules.hasCwd ? text(cwd) : undefined
  const words = args.map(text)
  if (rules.shape) {
    const plain = {
      kind: 'command',
      command: text(command),
      args: words,
      env,
      cwd: folder,
    } as const
    return rules.shape(plain, name, note)
  }
  return {
    ...(format === 'vscode' && { type: 'stdio' }),
    command: text(command),
    ...(words.length > 0 && { args: words }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(folder !== undefined && { cwd: folder }),
    ...(envFile !== undefined && rules.hasEnvFile && { envFile: text(envFile) }),
    ...extraKeys,
  }
}

/** Returns the settings of an entry besides how to reach the server; only our format has all of them. */
function ownKeys({ raw }: ConfigEntry, hider: SecretHider | undefined): object {
  const reached = new Set(
    'type command args env envFile cwd url serverUrl httpUrl headers protocolEra'.split(' '),
  )
  const others = Object.entries(raw)
    .filter(([key]) => !reached.has(key))
    .map(([key, value]) => [key, hider === undefined ? value : hider.deep(value, key)])
  const { protocolEra } = raw
  return { ...Object.fromEntries(others), ...(protocolEra !== undefined && { era: protocolEra }) }
}

/** For a product that only starts commands. */
function bridged(url: string, headers: { readonly [name: string]: string }, note: Note): object {
  note('is reached through the command mcp-remote, since only commands can be started there')
  const pairs = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`])
  return { command: 'npx', args: ['-y', 'mcp-remote', url, ...pairs] }
}

function usedInputs(
  entries: readonly ConfigEntry[],
  servers: object,
): readonly { readonly id: string }[] {
  const ids = new Set(namesIn(JSON.stringify(servers), 'input'))
  const existing = new Map(entries.flatMap(({ inputs }) => [...inputs]))
  return [...ids].flatMap((id) => {
    const input = existing.get(id)
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
