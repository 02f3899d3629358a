import { dirname } from 'node:path'

import {
  memberOf,
  type ConfigEntry,
  type ConfigNode,
  type ConfigProblem,
  type Resolution,
} from '@parley/foundation/config'
import type { JsonObject, JsonValue } from '@parley/mcp'

/** Fills in the variables of an entry. */
export type Resolve = (entry: ConfigEntry) => Promise<Resolution>

/**
 * A part of an entry with values in place of its variables: from where those of the entry's address and headers come. What
 * has no value is told of, and undefined is returned.
 */
export async function fillInVariables(
  node: ConfigNode,
  key: string,
  entry: ConfigEntry,
  resolve: Resolve,
  problems: ConfigProblem[],
): Promise<ConfigNode | undefined> {
  const texts = Object.fromEntries(textsIn(node, key))
  if (!Object.values(texts).some((text) => text.includes('${'))) return node
  const resolved = await resolve({ ...entry, target: targetWith(texts), settings: bare })
  if (!resolved.ok) {
    for (const problem of resolved.problems) {
      problems.push({ ...problem, line: node.line, key: problem.key?.replace(/^headers\./, '') })
    }
    return undefined
  }
  const values = 'url' in resolved.entry ? (resolved.entry.headers ?? {}) : {}
  return filled(node, key, values)
}

/** Sections of a file with their variables filled in, but for `policy`: expressions have none. */
export async function filledSections(
  root: ConfigNode,
  names: readonly string[],
  file: string,
  resolve: Resolve,
  problems: ConfigProblem[],
): Promise<JsonObject> {
  const sections: [string, JsonValue | undefined][] = []
  for (const name of names) {
    const node = memberOf(root, name)?.node
    if (node === undefined) continue
    const entry = bareEntry(name, file, node.line)
    const found =
      name === 'policy' ? node : await fillInVariables(node, name, entry, resolve, problems)
    if (found) sections.push([name, found.value as JsonValue]) // a file is JSON once it is read
  }
  return Object.fromEntries(sections)
}

/** An entry for a section of the file that is no server, in which variables are filled in as in one. */
export function bareEntry(name: string, file: string, line: number): ConfigEntry {
  return {
    name,
    source: { file, line, format: 'parley', scope: 'given' },
    raw: {},
    target: targetWith({}),
    settings: bare,
    folder: dirname(file),
    inputs: new Map(),
  }
}

const bare = { roots: [], tags: [], isDisabled: false } as const

/** An address needs no variables, and headers may be called anything. */
function targetWith(headers: { readonly [name: string]: string }): ConfigEntry['target'] {
  return { kind: 'url', url: 'https://variables.invalid', headers }
}

function textsIn({ value, members, items }: ConfigNode, key: string): readonly [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  return [
    ...members.flatMap(({ name, node }) => textsIn(node, `${key}.${name}`)),
    ...items.flatMap((node, at) => textsIn(node, `${key}.${at}`)),
  ]
}

function filled(
  node: ConfigNode,
  key: string,
  values: { readonly [key: string]: string },
): ConfigNode {
  const { value, members, items } = node
  if (typeof value === 'string') return { ...node, value: values[key] ?? value }
  if (Array.isArray(value)) {
    const next = items.map((item, at) => filled(item, `${key}.${at}`, values))
    return { ...node, items: next, value: next.map((item) => item.value) }
  }
  if (members.length === 0) return node
  const next = members.map((member) => ({
    ...member,
    node: filled(member.node, `${key}.${member.name}`, values),
  }))
  const object = Object.fromEntries(next.map((member) => [member.name, member.node.value]))
  return { ...node, members: next, value: object }
}
