import { safeJson, safeText } from '@parley/foundation/terminal'
import type { Prompt, Tool } from '@parley/mcp'
import {
  createNamedTypes,
  indented,
  typeOfSchema,
  unknownType,
  type NamedTypes,
  type TypeStyle,
} from '@parley/tools/types'

import { byName, oneLine, type Surface } from './surface.ts'

/** As modules are written that people read. */
export const moduleStyle: TypeStyle = {
  escapeText: (text) => safeText(text, { multiline: false }),
  escapeJson: (value) => safeJson(value),
}

/** How every file of ours begins. */
export const firstWords = '// Written by `parley types` from '

/** A module with the types of all tools and prompts, for `connect<Tools>(…)`. */
export function writeTypes({ server, tools, prompts }: Surface): string {
  const types = createNamedTypes(moduleStyle)
  const members = byName(tools).map((tool) => toolMember(tool, types))
  const named = types.declarations().map(({ text }) => `\n${text}\n`)
  return `${firstWords}${oneLine(server)}. Generate it again instead of editing it.

/** Tools by name: what they take, and what their structured results hold. */
export interface Tools ${block(members)}

/** Prompts by name, with their arguments. */
export interface Prompts ${block(byName(prompts).map((prompt) => promptMember(prompt, types)))}
${named.join('')}`
}

function block(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{\n${indented(members)}\n}`
}

function toolMember(
  { name, description, inputSchema, outputSchema }: Tool,
  types: NamedTypes,
): string {
  const { braces, commentOf, keyOf } = types.writer
  const input = typeOfSchema(inputSchema, types, { name: `${name} input` })
  const output =
    outputSchema === undefined
      ? unknownType
      : typeOfSchema(outputSchema, types, { name: `${name} output` })
  const { text } = braces([`readonly input: ${input.text}`, `readonly output: ${output.text}`])
  return `${commentOf(description)}readonly ${keyOf(name)}: ${text}`
}

function promptMember(
  { name, description, arguments: promptArguments = [] }: Prompt,
  types: NamedTypes,
): string {
  const { braces, commentOf, keyOf } = types.writer
  const members = byName(promptArguments).map(
    (item) =>
      `${commentOf(item.description)}readonly ${keyOf(item.name)}${item.required === true ? '' : '?'}: string`,
  )
  const type = members.length === 0 ? 'Record<never, never>' : braces(members).text
  return `${commentOf(description)}readonly ${keyOf(name)}: ${type}`
}
