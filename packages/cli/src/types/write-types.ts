import type { Prompt, Tool } from '@parley/mcp'

import { byName, oneLine, type Surface } from './surface.ts'
import { typeOfSchema } from './type-of-schema.ts'
import { braces, commentOf, indented, keyOf } from './type-text.ts'

/** A module with the types of all tools and prompts, for `connect<Tools>(…)`. */
export function writeTypes({ server, tools, prompts }: Surface): string {
  return `// Written by \`parley types\` from ${oneLine(server)}. Write it anew instead of changing it.

/** Tools by name: what they take, and what their structured results hold. */
export interface Tools ${block(byName(tools).map(toolMember))}

/** Prompts by name, with their arguments. */
export interface Prompts ${block(byName(prompts).map(promptMember))}
`
}

function block(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{\n${indented(members)}\n}`
}

function toolMember({ name, description, inputSchema, outputSchema }: Tool): string {
  const { text } = braces([
    `readonly input: ${typeOfSchema(inputSchema).text}`,
    `readonly output: ${outputSchema === undefined ? 'unknown' : typeOfSchema(outputSchema).text}`,
  ])
  return `${commentOf(description)}readonly ${keyOf(name)}: ${text}`
}

function promptMember({ name, description, arguments: given = [] }: Prompt): string {
  const members = byName(given).map(
    (one) =>
      `${commentOf(one.description)}readonly ${keyOf(one.name)}${one.required === true ? '' : '?'}: string`,
  )
  const type = members.length === 0 ? 'Record<never, never>' : braces(members).text
  return `${commentOf(description)}readonly ${keyOf(name)}: ${type}`
}
