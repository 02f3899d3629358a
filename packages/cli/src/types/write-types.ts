import { createHash } from 'node:crypto'

import type { Prompt, Tool } from '@parley/mcp'

import { commentOf, keyOf, typeOfSchema } from './type-of-schema.ts'

/** What a server offered when its types were written. */
export interface Surface {
  readonly server: string
  readonly revision: string
  readonly tools: readonly Tool[]
  readonly prompts: readonly Prompt[]
}

/** What is kept beside the types, to see later whether the server has changed. */
export interface TypesLock {
  readonly version: 1
  readonly server: string
  readonly tools: { readonly [name: string]: string }
  readonly prompts: { readonly [name: string]: string }
}

/** A module with the types of all tools and prompts, for `connect<Tools>(…)`. */
export function writeTypes({ server, tools, prompts }: Surface): string {
  const toolLines = byName(tools).map(({ name, description, inputSchema, outputSchema }) => {
    const input = typeOfSchema(inputSchema)
    const output =
      outputSchema === undefined ? '' : `\n    readonly output: ${typeOfSchema(outputSchema)}`
    return `  ${commentOf({ description })}readonly ${keyOf(name)}: {\n    readonly input: ${input}${output}\n  }`
  })
  const promptLines = byName(prompts).map(({ name, description, arguments: given = [] }) => {
    const members = given.map(
      (one) => `readonly ${keyOf(one.name)}${one.required === true ? '' : '?'}: string`,
    )
    const type = members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`
    return `  ${commentOf({ description })}readonly ${keyOf(name)}: ${type}`
  })
  return `// Written by \`parley types\` from ${oneLine(server)}. Write it anew instead of changing it.

/** Tools by name: what they take, and what their structured results hold. */
export interface Tools {
${toolLines.join('\n')}
}

/** Prompts by name, with their arguments. */
export interface Prompts {
${promptLines.join('\n')}
}
`
}

/** A hash for each part that types are made from. */
export function lockOf({ server, tools, prompts }: Surface): TypesLock {
  const hashes = (items: readonly (Tool | Prompt)[], parts: (item: never) => unknown) =>
    Object.fromEntries(byName(items).map((item) => [item.name, hash(parts(item as never))])) // of the list given with it
  return {
    version: 1,
    server: oneLine(server),
    tools: hashes(tools, ({ inputSchema, outputSchema }: Tool) => [
      inputSchema,
      outputSchema ?? null,
    ]),
    prompts: hashes(prompts, ({ arguments: given = [] }: Prompt) =>
      given.map(({ name, required = false }) => [name, required]),
    ),
  }
}

/** What differs, each in a sentence; empty if nothing does. */
export function compareLocks(before: TypesLock, now: TypesLock): readonly string[] {
  return (['tools', 'prompts'] as const).flatMap((kind) => {
    const what = kind.slice(0, -1)
    const names = [...new Set([...Object.keys(before[kind]), ...Object.keys(now[kind])])].toSorted()
    return names.flatMap((name) => {
      const [old, fresh] = [before[kind][name], now[kind][name]]
      if (old === fresh) return []
      if (old === undefined) return [`the ${what} ${name} is new`]
      return fresh === undefined
        ? [`the ${what} ${name} is gone`]
        : [`the ${what} ${name} has changed`]
    })
  })
}

function byName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  return items.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url')
    .slice(0, 22)
}

/** The order of members says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
