import type { ToolRegistry, TurnInput } from '@parley/host'

const mention = /(?<=^|\s)@([A-Za-z0-9_-]{1,64})(?=$|[\s.,;:!?)])/g

/** The tools that a text names as `@name`, each once. */
function mentionedTools(text: string, tools: Pick<ToolRegistry, 'find'>): readonly string[] {
  const names = [...text.matchAll(mention)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => tools.find(name) !== undefined)
}

/** What a person says, with a word to the model about each tool they named as `@name`. It still has to be allowed. */
export function withMentions(input: TurnInput, tools: Pick<ToolRegistry, 'find'>): TurnInput {
  const received =
    typeof input === 'string' ? { content: [{ type: 'text', text: input } as const] } : input
  const text = received.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const named = mentionedTools(text, tools)
  if (named.length === 0) return input
  const list = named.join(', ')
  const note = `(The person named ${named.length === 1 ? 'this tool' : 'these tools'}, to be used for it: ${list})`
  return { ...received, content: [...received.content, { type: 'text', text: note }] }
}
