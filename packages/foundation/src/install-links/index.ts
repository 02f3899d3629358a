/**
 * One click or one command that installs a server in a product: for the pages of registry and gateway, and for READMEs.
 *
 * A link opens the product, which shows what it would add and asks. Secrets are never part of a link: where an answer is missing, the
 * product asks for it, or the text names the environment variable that has it. What is in the texts was judged before, by the
 * registry's `install-plan.ts`; here it is only quoted, for a URL or for a shell.
 */

import { commandLine } from '../command-line/shell-word.ts'

/** A way to install a server in one product. */
export interface InstallLink {
  /** The product, as `parley add --client` names it; `inspector` only looks at the server. */
  readonly client: 'claude' | 'vscode' | 'cursor' | 'codex' | 'gemini' | 'parley' | 'inspector'
  /** A link to open, or a command to run. */
  readonly kind: 'link' | 'command'
  /** The URL or the command. */
  readonly text: string
  /** The same link by an address of the product's web site, for pages such as GitHub's that allow `https` only. */
  readonly web?: string
}

/** The installed server: a program that is started, or an address. */
export type InstallLinkEntry =
  | {
      /** A program. */
      readonly kind: 'command'
      /** Its name. */
      readonly command: string
      /** Its arguments. */
      readonly args: readonly string[]
      /** Variables that are added to its environment. */
      readonly env: { readonly [name: string]: string }
    }
  | {
      /** A server at an address. */
      readonly kind: 'url'
      /** The transport. */
      readonly type: 'http' | 'sse'
      /** The address. */
      readonly url: string
      /** Headers that are sent with every request. */
      readonly headers: { readonly [name: string]: string }
    }

/** The source of a link. */
export interface InstallLinkSource {
  /** The name of the entry in the product. */
  readonly name: string
  /** The server as a registry names it: `io.github.ada/weather@1.1.0`. Without one there is no command for `parley add`. */
  readonly server?: string | undefined
  /** The entry, with `${input:ID}` in the places of answers that are still open. */
  readonly entry: InstallLinkEntry
  /** The questions of the file, for products that ask themselves. */
  readonly inputs: readonly object[]
}

const openAnswer = /\$\{input:([^}]*)\}/g

/** Returns a link or a command for each product that can take one. */
export function installLinks(source: InstallLinkSource): readonly InstallLink[] {
  const { name, server, entry, inputs } = source
  const installInputs = inputs.length > 0 ? { inputs } : {}
  const vscode = JSON.stringify({ name, ...installInputs, ...vscodeEntry(entry) })
  const cursor = base64(JSON.stringify(cursorEntry(entry)))
  const vscodeUrl = `vscode:mcp/install?${encode(vscode)}`
  const cursorQuery = `name=${encode(name)}&config=${encode(cursor)}`
  return [
    { client: 'claude', kind: 'command', text: claudeCommand(name, entry) },
    {
      client: 'vscode',
      kind: 'link',
      text: vscodeUrl,
      web: `https://insiders.vscode.dev/redirect?url=${encode(vscodeUrl)}`,
    },
    {
      client: 'cursor',
      kind: 'link',
      text: `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery}`,
      web: `https://cursor.com/en/install-mcp?${cursorQuery}`,
    },
    { client: 'codex', kind: 'command', text: codexCommand(name, entry) },
    { client: 'gemini', kind: 'command', text: geminiCommand(name, entry) },
    ...(server === undefined
      ? []
      : [
          {
            client: 'parley',
            kind: 'command',
            text: commandLine(['parley', 'add', server]),
          } as const,
        ]),
    { client: 'inspector', kind: 'command', text: inspectCommand(entry) },
  ]
}

/** Encodes UTF-8 as base64, in browsers too. */
function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

/** For a URL, also within the parentheses of a Markdown link. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29')
}

/** VS Code asks for the inputs itself. */
function vscodeEntry(entry: InstallLinkEntry): object {
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    return { type, url, ...(Object.keys(headers).length > 0 && { headers }) }
  }
  const { command, args, env } = entry
  return { type: 'stdio', command, args, ...(Object.keys(env).length > 0 && { env }) }
}

/** Cursor takes what is open from the environment. */
function cursorEntry(entry: InstallLinkEntry): object {
  const { type: _, ...config } = vscodeEntry(withVariables(entry, (name) => `\${env:${name}}`)) as {
    type: string
  } // made above
  return config
}

function claudeCommand(name: string, entry: InstallLinkEntry): string {
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

function codexCommand(name: string, entry: InstallLinkEntry): string {
  if (entry.kind === 'url') return shellLine(['codex', 'mcp', 'add', name, '--url', entry.url], [])
  const { command, args, env } = entry
  return shellLine(['codex', 'mcp', 'add', name], pairs(env, '--env', '='), [
    '--',
    command,
    ...args,
  ])
}

function geminiCommand(name: string, entry: InstallLinkEntry): string {
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    const words = ['gemini', 'mcp', 'add', '--transport', type, name, url]
    return shellLine(words, pairs(headers, '--header', ': '))
  }
  const { command, args, env } = entry
  return shellLine(['gemini', 'mcp', 'add'], pairs(env, '--env', '='), [name, command, ...args])
}

/** Looks at a server, and writes nothing. */
function inspectCommand(entry: InstallLinkEntry): string {
  const begin = ['npx', '@parley/cli', 'inspect']
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    const transport = type === 'sse' ? ['--transport', type] : []
    return shellLine([...begin, url, ...transport], pairs(headers, '--header', ': '))
  }
  const { command, args, env } = entry
  return shellLine(begin, pairs(env, '--env', '='), ['--', command, ...args])
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

function withVariables(
  entry: InstallLinkEntry,
  toText: (name: string) => string,
): InstallLinkEntry {
  const change = (text: string) =>
    text.replace(openAnswer, (_, id: string) => toText(variableName(id)))
  const changeAll = (members: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(members).map(([name, text]) => [name, change(text)]))
  return entry.kind === 'url'
    ? { ...entry, url: change(entry.url), headers: changeAll(entry.headers) }
    : { ...entry, args: entry.args.map(change), env: changeAll(entry.env) }
}

/** Names the environment variable that a command takes an open answer from. The id of an input begins with the name of its entry. */
export function variableName(id: string): string {
  return id.replaceAll(/\W+/g, '_').toUpperCase()
}
