import { parseJsonObject } from '@parley/mcp/json'

import type { ModelContent, ModelMessage } from './model.ts'
import type { ScriptedReply, ScriptedRequest } from './script.ts'

/** The default script of a scripted model: it calls the tool that the user names, and repeats the result. */
export function firstSteps({ messages, tools }: ScriptedRequest): ScriptedReply {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { text: `The result is:\n\n${resultsAtEnd(messages)}` }
  const text = last?.role === 'user' ? textOf(last.content).trim() : ''
  const [, name = '', input = ''] = /^call\s+(\S+)\s*(.*)$/is.exec(text) ?? []
  if (name === '') return { text: explain(tools.map((tool) => tool.name)) }
  const tool = tools.find((candidate) => candidate.name === name) ?? onlyEnding(tools, name)
  if (tool === undefined) {
    return { text: `There is no tool "${name}".\n\n${explain(tools.map((item) => item.name))}` }
  }
  if (input !== '' && parseJsonObject(input) === undefined) {
    return { text: `Write the arguments as a JSON object: call ${name} {"name": "value"}` }
  }
  return {
    text: `I call ${tool.name}.`,
    calls: [{ name: tool.name, argumentsText: input || '{}' }],
  }
}

/** `echo` is enough for `everything_echo` where no other tool ends like this. */
function onlyEnding<T extends { readonly name: string }>(tools: readonly T[], name: string) {
  const found = tools.filter((tool) => tool.name.endsWith(`_${name}`))
  return found.length === 1 ? found[0] : undefined
}

function explain(names: readonly string[]): string {
  if (names.length === 0) return 'I follow a script and have no tools: add a server to try one.'
  const shown = names.slice(0, 20).map((name) => `- ${name}`)
  const more = names.length > 20 ? [`- and ${names.length - 20} more`] : []
  const lines = [...shown, ...more].join('\n')
  return `I follow a script. Write "call TOOL {arguments}", and I call one of these tools:\n\n${lines}`
}

/** One answer may have asked for several calls. */
function resultsAtEnd(messages: readonly ModelMessage[]): string {
  const results: string[] = []
  for (const message of messages.toReversed()) {
    if (message.role !== 'tool') break
    results.unshift(textOf(message.content))
  }
  return results.join('\n\n')
}

function textOf(content: readonly ModelContent[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
}
