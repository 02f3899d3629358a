import { shellWord } from '@parley/foundation/command-line'
import type { Tool } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { member } from '../json.ts'
import { flat } from '../output/printer.ts'
import { schemaIssues } from '../schema-issues.ts'

/** How a tool is called, if that is not how it was. */
export function usageHint({ name, inputSchema }: Tool, args: object): string | undefined {
  try {
    if (schemaIssues(inputSchema, args).length === 0) return undefined
  } catch {
    return undefined // nobody can say by such a schema
  }
  const words = argumentWordsOf(inputSchema)
  const called = usageWords({ name, inputSchema })
  return words.length === 0 ? `${flat(name, 80)} takes no arguments.` : `Usage: ${called}`
}

/** The name of a tool and what stands for its arguments, as `parley call` takes them. */
export function usageWords({ name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>): string {
  const lead = name.startsWith('-') ? '-- ' : ''
  return [`${lead}${shellWord(flat(name, 80))}`, ...argumentWordsOf(inputSchema)].join(' ')
}

function argumentWordsOf(inputSchema: Tool['inputSchema']): readonly string[] {
  const properties = Object.entries(
    isJsonObject(inputSchema) ? Object(inputSchema['properties']) : {},
  )
  const required = member(inputSchema, 'required')
  const needed = new Set(Array.isArray(required) ? required : [])
  return properties
    .toSorted(([a], [b]) => Number(needed.has(b)) - Number(needed.has(a)))
    .slice(0, 12)
    .map(([key, schema]) => {
      const word = `${shellWord(flat(key, 40))}=${kindOf(schema)}`
      return needed.has(key) ? word : `[${word}]`
    })
}

function kindOf(schema: unknown): string {
  const { enum: values, type } = isJsonObject(schema) ? schema : {}
  if (Array.isArray(values)) return flat(values.slice(0, 6).join('|'), 60)
  if (type === 'string') return 'TEXT'
  return type === 'number' || type === 'integer'
    ? 'NUMBER'
    : type === 'boolean'
      ? 'true|false'
      : 'JSON'
}
