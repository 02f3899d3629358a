import type { TranscriptEntry } from '@parley/host'
import { withoutHidden } from '@parley/host'

const maxTitleLength = 80
const maxSearched = 100_000

/** What of an entry is searched: what people and models wrote. */
export function wordsOf(entry: TranscriptEntry): string {
  if (entry.kind !== 'message') return ''
  const { message } = entry
  if (message.role === 'assistant') return message.text.slice(0, maxSearched)
  return message.role === 'user' ? textOf(message).slice(0, maxSearched) : ''
}

/** A title of a new conversation: the beginning of what the person wrote first. */
export function titleOf(entries: readonly TranscriptEntry[]): string | undefined {
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.message.role !== 'user') continue
    const title = shortTitle(textOf(entry.message, 'last'))
    if (title !== '') return title
  }
  return undefined
}

/** On one line, without what nobody sees, not too long. */
export function shortTitle(text: string): string {
  const line = withoutHidden(text.slice(0, 2_000)).text.replaceAll(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  if (letters.length <= maxTitleLength) return line
  const cut = letters.slice(0, maxTitleLength - 1).join('')
  // At the end of a word, unless the last one is very long.
  const whole = letters[maxTitleLength - 1] === ' ' ? cut : cut.replace(/ \S{0,30}$/u, '')
  return `${whole}…`
}

/** Attached resources come first, what the person wrote last. */
function textOf(
  message: Extract<Extract<TranscriptEntry, { kind: 'message' }>['message'], { role: 'user' }>,
  which: 'all' | 'last' = 'all',
): string {
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return which === 'all' ? texts.join('\n') : (texts.at(-1) ?? '')
}
