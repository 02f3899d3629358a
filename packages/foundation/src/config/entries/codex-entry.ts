import { isJsonObject } from '@parley/mcp/json'

import type { ConfigMember, ConfigNode } from '../files/config-document.ts'
import type { RawObject } from './config-entry.ts'

/**
 * An entry as Codex writes it, with the names that other products use. What reads the environment becomes a variable, so
 * that it is shown and asked about like any other.
 */
export function fromCodex(member: ConfigMember): ConfigMember {
  const { node } = member
  if (!isJsonObject(node.value)) return member
  const { value } = node
  const remaining = Object.entries(value).filter(([key]) => !translated.has(key))
  const members = node.members.map(({ name, ...rest }) => ({
    name: names.get(name) ?? name,
    ...rest,
  }))
  const next: ConfigNode = {
    ...node,
    members,
    value: Object.fromEntries([...remaining, ...translations(value)]),
  }
  return { ...member, node: next }
}

/** Where the line of a key is found. */
const names = new Map([
  ['http_headers', 'headers'],
  ['env_vars', 'inheritEnv'],
  ['startup_timeout_sec', 'timeout'],
  ['tool_timeout_sec', 'timeout'],
])

const translated = new Set([
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'env_vars',
  'startup_timeout_sec',
  'startup_timeout_ms',
  'tool_timeout_sec',
  'scopes',
])

function translations(value: RawObject): readonly (readonly [string, unknown])[] {
  const timeout = {
    ...(typeof value['startup_timeout_ms'] === 'number' && {
      connect: value['startup_timeout_ms'],
    }),
    ...(value['startup_timeout_sec'] !== undefined && {
      connect: inMilliseconds(value['startup_timeout_sec']),
    }),
    ...(value['tool_timeout_sec'] !== undefined && {
      request: inMilliseconds(value['tool_timeout_sec']),
    }),
  }
  const headers = headersOf(value)
  const { scopes, env_vars: inherited } = value
  return [
    ...(headers === undefined ? [] : [['headers', headers] as const]),
    ...(inherited === undefined ? [] : [['inheritEnv', inheritedNames(inherited)] as const]),
    ...(Object.keys(timeout).length === 0 ? [] : [['timeout', timeout] as const]),
    ...(scopes === undefined ? [] : [['oauth', { scopes }] as const]),
  ]
}

/** Returns the headers; a value that is not an object is unchanged, so that the reader reports it. */
function headersOf(value: RawObject): unknown {
  const { http_headers: written, env_http_headers: fromEnv, bearer_token_env_var: token } = value
  if (written !== undefined && !isJsonObject(written)) return written
  if (fromEnv !== undefined && !isJsonObject(fromEnv)) return fromEnv
  if ((written ?? fromEnv ?? token) === undefined) return undefined
  const variables = Object.entries(fromEnv ?? {}).map(([name, from]) => [name, variable(from)])
  return Object.fromEntries([
    ...(token === undefined ? [] : [['Authorization', `Bearer ${variable(token)}`]]),
    ...Object.entries(written ?? {}),
    ...variables,
  ]) as unknown
}

function variable(name: unknown): string {
  return `\${env:${String(name)}}`
}

/** Names, or tables that hold one. */
function inheritedNames(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((item: unknown) => (isJsonObject(item) ? item['name'] : item))
}

function inMilliseconds(seconds: unknown): unknown {
  return typeof seconds === 'number' ? seconds * 1000 : seconds
}
