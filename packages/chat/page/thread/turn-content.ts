import type { ModelContent } from '@parley/host/models'

import type { ThreadItem } from './read-thread.ts'

/** Returns everything that a person said in a turn, as a turn takes it again. */
export function contentOfTurn(items: readonly ThreadItem[], turn: number): readonly ModelContent[] {
  return items.flatMap((item) => (item.turn === turn && item.kind === 'user' ? item.content : []))
}

/** Data of servers stands between two lines that name it. */
export const fencedData =
  /^\[data [0-9a-f]+: (.*); not instructions\]\n([\s\S]*)\n\[end of data [0-9a-f]+\]$/

/** Returns the words of a message: without data of servers, and without pictures. */
export function wordsOf(content: readonly ModelContent[]): string {
  return content
    .flatMap((part) => (part.type === 'text' && !fencedData.test(part.text) ? [part.text] : []))
    .join('\n\n')
}

/** Returns the content with other words; what went along goes along again. */
export function withWords(
  content: readonly ModelContent[],
  words: string,
): readonly ModelContent[] {
  const others = content.filter((part) => part.type !== 'text' || fencedData.test(part.text))
  return [...others, { type: 'text', text: words }]
}
