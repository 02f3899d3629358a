import {
  isSecretName,
  mapSecretArguments,
  maskArguments,
  secretArguments,
} from '@parley/foundation/secrets'
import { createMask, masked } from '@parley/foundation/trace'
import { parseUrl } from '@parley/mcp/address'
import type { CommandEntry, ServerEntry } from '@parley/mcp/client'

import { codeOfVariable } from '../../protocol/code-variables.ts'

/**
 * An entry that may be shown: values of the environment and of headers are secrets more often than not, arguments where
 * their flag says so. Who is to confirm a command is shown its arguments as they are.
 */
export function maskEntry(
  entry: ServerEntry,
  { args: how = 'masked' }: { readonly args?: 'masked' | 'shown' } = {},
): ServerEntry {
  if (isCommand(entry)) {
    const { env, args, ...rest } = entry
    return {
      ...rest,
      ...(args && { args: how === 'shown' ? args : maskArguments(args) }),
      ...(env && { env: maskAll(env) }),
    }
  }
  const { headers, url, ...rest } = entry
  const shown = { ...rest, url: maskUrl(url) }
  return headers === undefined ? shown : { ...shown, headers: maskAll(headers) }
}

/** An entry that was edited from what `maskEntry` shows: what is masked in it is as it was. */
export function withStored(edited: ServerEntry, before: ServerEntry): ServerEntry {
  if (isCommand(edited)) {
    const old = isCommand(before) ? before : undefined
    const args = edited.args && unmaskArguments(edited.args, old?.args ?? [])
    const env = edited.env && unmask(edited.env, old?.env)
    return { ...edited, ...(args && { args }), ...(env && { env }) }
  }
  const old = isCommand(before) ? undefined : before
  const isSame = old !== undefined && edited.url === maskUrl(old.url)
  const url = isSame ? old.url : edited.url
  // Another origin gets none of the secrets that were given for this one.
  const isSameOrigin = old !== undefined && originOf(url) === originOf(old.url)
  const headers = edited.headers && unmask(edited.headers, isSameOrigin ? old.headers : undefined)
  return { ...edited, url, ...(headers && { headers }) }
}

function originOf(url: string): string {
  return parseUrl(url)?.origin ?? url
}

function unmask(
  values: { readonly [name: string]: string },
  stored: { readonly [name: string]: string } | undefined,
): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, string][] => {
      if (value !== masked) return [[name, value]]
      const old = stored !== undefined && Object.hasOwn(stored, name) ? stored[name] : undefined
      return old === undefined ? [] : [[name, old]]
    }),
  )
}

function unmaskArguments(args: readonly string[], before: readonly string[]): readonly string[] {
  const storedValues = new Map<string, string[]>()
  mapSecretArguments(before, (flag, value) => {
    storedValues.set(flag, [...(storedValues.get(flag) ?? []), value])
    return value
  })
  return mapSecretArguments(args, (flag, value) =>
    value === masked ? (storedValues.get(flag)?.shift() ?? value) : value,
  )
}

/** The exact words that would be run. */
export function argvOf({ command, args = [] }: CommandEntry): readonly string[] {
  return [command, ...args]
}

/** All that a person is shown of a command before it is started. */
export function shownOf(entry: CommandEntry): {
  readonly argv: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd: string | undefined
} {
  return { argv: argvOf(entry), env: maskAll(entry.env ?? {}), cwd: entry.cwd }
}

/** Whether an entry is a command to start. */
export function isCommand(entry: ServerEntry): entry is CommandEntry {
  return 'command' in entry
}

function maskAll(values: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isPublic(name) ? value : masked]),
  )
}

function isPublic(name: string): boolean {
  return (
    codeOfVariable(name) !== undefined ||
    /^(?:accept|accept-language|user-agent|content-type|NODE_ENV|HOME|LANG|TZ|DEBUG|LOG_LEVEL|PORT)$/i.test(
      name,
    )
  )
}

/** Passwords and keys in an address. */
function maskUrl(text: string): string {
  const url = parseUrl(text)
  if (url === undefined) return text
  if (url.password !== '') url.password = 'masked'
  const mask = createMask()
  let isChanged = url.href !== new URL(text).href
  for (const [name, value] of url.searchParams) {
    const { [name]: shown } = mask({ [name]: value }) as { readonly [name: string]: unknown } // as given
    if (shown === value) continue
    url.searchParams.set(name, 'masked')
    isChanged = true
  }
  return isChanged ? url.href : text
}

/** Texts of an entry that must not be shown, wherever a server repeats them. */
export function secretsOf(entry: ServerEntry): readonly string[] {
  const values = isCommand(entry) ? (entry.env ?? {}) : (entry.headers ?? {})
  const named = Object.entries(values)
    .filter(([name]) => !isPublic(name) && (isSecretName(name) || !isCommand(entry)))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic|DPoP) +/i, ''))
  const argumentSecrets = isCommand(entry) ? secretArguments(entry.args ?? []) : []
  return [...named, ...argumentSecrets].filter((value) => value.length >= minSecretLength)
}

/** Shorter ones stand in too many other texts. */
const minSecretLength = 8
