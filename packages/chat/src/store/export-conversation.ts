import type { TurnEvent } from '@parley/host'

import type { ConversationStore } from './conversation-store.ts'

/** A conversation with everything in it. */
export type LoadedConversation = NonNullable<Awaited<ReturnType<ConversationStore['load']>>>

/** The first words of an exported file, so that an import knows what it reads. */
export const exportKind = 'parley-conversation'

/** A conversation as a file: JSON has all of it and can be imported again, Markdown is for people to read. */
export function exportConversation(
  conversation: LoadedConversation,
  format: 'markdown' | 'json',
): string {
  return format === 'json' ? asJson(conversation) : asMarkdown(conversation)
}

function asJson({ title, model, createdAt, changedAt, transcript }: LoadedConversation): string {
  const file = { kind: exportKind, version: 1, title, model, createdAt, changedAt, transcript }
  return `${JSON.stringify(file, undefined, 2)}\n`
}

function asMarkdown({ title, model, createdAt, transcript }: LoadedConversation): string {
  const parts = [
    `# ${escapeLine(title)}`,
    `${new Date(createdAt).toISOString()}, ${escapeLine(model)}`,
  ]
  for (const entry of transcript.entries) {
    if (entry.kind === 'event') {
      const shown = eventText(entry.event)
      if (shown !== undefined) parts.push(shown)
      continue
    }
    if (entry.kind !== 'message') continue
    const { message } = entry
    if (message.role === 'user') {
      const texts = message.content.map((part) =>
        part.type === 'text' ? part.text : `(${part.type}, ${part.mimeType})`,
      )
      parts.push('## You', texts.join('\n\n'))
    } else if (message.role === 'assistant' && message.text !== '') {
      parts.push(`## ${escapeLine(model)}`, message.text)
    }
  }
  return `${parts.join('\n\n')}\n`
}

function eventText(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'call': {
      const { server, tool, arguments: args } = event
      const called = `**Call** ${escapeLine(server)} · ${escapeLine(tool)}`
      return `${called}\n\n${fenced(JSON.stringify(args, undefined, 2), 'json')}`
    }
    case 'decision':
      return event.decision === 'allow'
        ? `Allowed: ${escapeLine(event.rule)}`
        : `Refused: ${escapeLine(event.rule)}`
    case 'result': {
      const { server = '', tool, isError, content } = event
      const texts = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
      const what = `**${isError ? 'Error' : 'Result'}** ${escapeLine(server)} · ${escapeLine(tool)}`
      return `${what}\n\n${fenced(texts.join('\n'), '')}`
    }
    case 'program':
      return `**Program**\n\n${fenced(event.source, 'js')}`
    case 'program-end':
      return `**Program ended** (${event.outcome})\n\n${fenced(event.text, '')}`
    case 'notice':
      return `*${escapeLine(event.message)}*`
    case 'end':
      return event.reason === 'answered'
        ? undefined
        : `*${escapeLine(event.message ?? event.reason)}*`
    case 'server':
    case 'text':
    case 'reasoning':
    case 'progress':
    case 'log':
      return undefined
  }
}

/** A fence longer than any within. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Names and titles stay on their line and mark nothing. */
function escapeLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, '\\$&')
}
