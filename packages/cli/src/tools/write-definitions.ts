import { safeJson } from '@parley/foundation/terminal'

import type { ToolDefinition } from './define-tools.ts'

/** How every file of ours begins. */
export const firstWords = '// Written by `parley types --tools` from '

/** A module with the definitions, for `server.tool('name', tools.name, name)`. `from` is how it imports the functions. */
export function writeDefinitions(tools: readonly ToolDefinition[], from: string): string {
  const members = tools.map((tool) => `  ${tool.name}: {\n${memberLines(tool)}\n  },`)
  return `${firstWords}${from}. Generate it again instead of editing it.

import { jsonSchema } from '@parley/mcp'

import type * as source from ${JSON.stringify(from)}

/** What each tool is called with and gives, by the types and doc comments of its function. */
export const tools = {
${members.join('\n')}
}
`
}

function memberLines({
  name,
  description,
  inputSchema,
  outputSchema,
  hasInput,
}: ToolDefinition): string {
  const input = hasInput ? `<Parameters<typeof source.${name}>[0]>` : ''
  const output = `<Awaited<ReturnType<typeof source.${name}>>>`
  return [
    ...(description === undefined ? [] : [`description: ${safeJson(description)},`]),
    `inputSchema: jsonSchema${input}(${safeJson(inputSchema, 2)}),`,
    ...(outputSchema === undefined
      ? []
      : [`outputSchema: jsonSchema${output}(${safeJson(outputSchema, 2)}),`]),
  ]
    .join('\n')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
