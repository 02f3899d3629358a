/**
 * One click or one command that installs a server in a product: for the registry's page and for READMEs.
 *
 * A link opens the product, which shows what it would add and asks. Secrets are never part of a link: where an answer is missing, the
 * product asks for it, or the text names the environment variable that has it. What is in the texts was judged before, by
 * `install-plan.ts`; here it is only quoted, for a URL or for a shell.
 */

import { commandLine } from '@parley/foundation/command-line'

import type { InstallEntry } from './install-plan.ts'

/** A way to install a server in one product. */
export interface InstallLink {
  /** The product, as `parley add --client` names it. */
  readonly client: 'claude' | 'vscode' | 'cursor' | 'codex' | 'gemini' | 'parley'
  /** A link to open, or a command to run. */
  readonly kind: 'link' | 'command'
  /** The URL or the command. */
  readonly text: string
}

/** What a link is made of. */
export interface InstallLinkSource {
  /** The name of the entry in the product. */
  readonly name: string
  /** The server as the registry names it: `io.github.ada/weather@1.1.0`. */
  readonly server: string
  /** The entry, with `${input:ID}` in the places of answers that are still open. */
  readonly entry: InstallEntry
  /** The questions of the file, for products that ask themselves. */
  readonly inputs: readonly object[]
}

const openAnswer = /\$\{input:([^}]*)\}/g

/** Returns a link or a command for each product that can take one. */
export function installLinks(source: InstallLinkSource): readonly InstallLink[] {
  const { name, server, entry, inputs } = source
  const installInputs = inputs.length > 0 ? { inputs } : {}
  const vscode = JSON.stringify({ name, ...installInputs, ...vscodeEntry(entry) })
  const cursor = Buffer.from(JSON.stringify(cursorEntry(entry))).toString('base64')
  return [
    { client: 'claude', kind: 'command', text: claudeCommand(name, entry) },
    { client: 'vscode', kind: 'link', text: `vscode:mcp/install?${encodeURIComponent(vscode)}` },
    {
      client: 'cursor',
      kind: 'link',
      text: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(cursor)}`,
    },
    { client: 'codex', kind: 'command', text: codexCommand(name, entry) },
    { client: 'gemini', kind: 'command', text: geminiCommand(name, entry) },
    { client: 'parley', kind: 'command', text: commandLine(['parley', 'add', server]) },
  ]
}

/** VS Code asks for the inputs itself. */
function vscodeEntry(entry: InstallEntry): object {
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    return { type, url, ...(Object.keys(headers).length > 0 && { headers }) }
  }
  const { command, args, env } = entry
  return { type: 'stdio', command, args, ...(Object.keys(env).length > 0 && { env }) }
}

/** Cursor takes what is open from the environment. */
function cursorEntry(entry: InstallEntry): object {
  const { type: _, ...config } = vscodeEntry(withVariables(entry, (name) => `\${env:${name}}`)) as {
    type: string
  } // made above
  return config
}

function claudeCommand(name: string, entry: InstallEntry): string {
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    const words = ['claude', 'mcp', 'add', '--transport', type, name, url]
    return shellLine(words, pairs(headers, '--header', ': '))
  }
  const { command, args, env } = entry
  return shellLine(['claude', 'mcp', 'add', name], pairs(env, '--env', '='), [
    '--',
    command,
    ...args,
  ])
}

function codexCommand(name: string, entry: InstallEntry): string {
  if (entry.kind === 'url') return shellLine(['codex', 'mcp', 'add', name, '--url', entry.url], [])
  const { command, args, env } = entry
  return shellLine(['codex', 'mcp', 'add', name], pairs(env, '--env', '='), [
    '--',
    command,
    ...args,
  ])
}

function geminiCommand(name: string, entry: InstallEntry): string {
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    const words = ['gemini', 'mcp', 'add', '--transport', type, name, url]
    return shellLine(words, pairs(headers, '--header', ': '))
  }
  const { command, args, env } = entry
  return shellLine(['gemini', 'mcp', 'add'], pairs(env, '--env', '='), [name, command, ...args])
}

function pairs(
  members: { readonly [name: string]: string },
  flag: string,
  sign: string,
): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => [flag, `${name}${sign}${value}`])
}

/** One line for a shell. What is open is a variable there, in double quotes. */
function shellLine(...parts: readonly (readonly string[])[]): string {
  return parts
    .flat()
    .map((word) => (word.search(openAnswer) === -1 ? commandLine([word]) : openWord(word)))
    .join(' ')
}

function openWord(word: string): string {
  const quoted = word
    .split(/(\$\{input:[^}]*\})/)
    .map((part) =>
      part.startsWith('${input:')
        ? part.replace(openAnswer, (_, id: string) => `$${variableName(id)}`)
        : part.replaceAll(/["\\$`]/g, '\\$&'),
    )
    .join('')
  return `"${quoted}"`
}

function withVariables(entry: InstallEntry, toText: (name: string) => string): InstallEntry {
  const change = (text: string) =>
    text.replace(openAnswer, (_, id: string) => toText(variableName(id)))
  const changeAll = (members: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(members).map(([name, text]) => [name, change(text)]))
  return entry.kind === 'url'
    ? { ...entry, url: change(entry.url), headers: changeAll(entry.headers) }
    : { ...entry, args: entry.args.map(change), env: changeAll(entry.env) }
}

/** The id of an input begins with the name of its entry; what follows is the question. */
function variableName(id: string): string {
  return id.replaceAll(/\W+/g, '_').toUpperCase()
}
