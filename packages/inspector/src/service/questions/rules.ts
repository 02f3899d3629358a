import type { Answer, QuestionView, Rule } from '../../protocol/index.ts'

/** The first rule that answers a question. */
export function matchingRule(rules: readonly Rule[], question: QuestionView): Rule | undefined {
  return rules.find(
    ({ enabled, kind, server, contains }) =>
      enabled &&
      kind === question.kind &&
      (server === undefined || server === question.server) &&
      (contains === undefined || messageOf(question).includes(contains)),
  )
}

/** Puts what the question says into the texts of an answer; what is put in is not looked at again. */
export function fillTemplates(answer: Answer, question: QuestionView): Answer {
  const values: { readonly [name: string]: string } = {
    message: messageOf(question),
    server: question.server,
    name: question.name ?? '',
    prompt: promptOf(question),
  }
  return fill(answer, values) as Answer // only texts in it were changed
}

function fill(value: unknown, values: { readonly [name: string]: string }): unknown {
  if (typeof value === 'string') {
    return value.replace(
      /\{\{(message|server|name|prompt)\}\}/g,
      (_, name: string) => values[name] ?? '',
    )
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fill(member, values)]),
  )
}

/** What a person would read: the message of an elicitation, the last message to a model. */
function messageOf({ kind, params }: QuestionView): string {
  const { message, messages } = params
  if (kind === 'elicitation') return typeof message === 'string' ? message : ''
  return Array.isArray(messages) ? textOf(messages.at(-1)) : ''
}

/** All that a model would be told. */
function promptOf({ params }: QuestionView): string {
  const { systemPrompt, messages } = params
  const texts = Array.isArray(messages) ? messages.map(textOf) : []
  return [...(typeof systemPrompt === 'string' ? [systemPrompt] : []), ...texts].join('\n')
}

function textOf(message: unknown): string {
  if (typeof message !== 'object' || message === null || !('content' in message)) return ''
  const { content } = message
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks
    .map((block) =>
      typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : '',
    )
    .join('\n')
}
