import { stripVTControlCharacters } from 'node:util'

import { describeThought } from './describe-thought.ts'
import type { Thought } from './thought.ts'

const maxWidth = 100
const maxLines = 50

/** A thought in a box, for whoever watches the terminal. What would steer the terminal is left out. */
export function boxThought(thought: Thought): string {
  const head = plain(describeThought(thought)).slice(0, maxWidth)
  const lines = wrap(thought.thought)
  const width = Math.max(head.length, ...lines.map(({ length }) => length))
  const row = (text: string) => `│ ${text.padEnd(width)} │`
  const rule = '─'.repeat(width + 2)
  return [`┌${rule}┐`, row(head), `├${rule}┤`, ...lines.map(row), `└${rule}┘`].join('\n')
}

function wrap(text: string): readonly string[] {
  const lines: string[] = []
  for (const line of text.slice(0, maxWidth * maxLines).split(/\r\n|\r|\n/)) {
    const shown = plain(line)
    for (let at = 0; at === 0 || at < shown.length; at += maxWidth) {
      lines.push(shown.slice(at, at + maxWidth))
    }
  }
  return lines.slice(0, maxLines)
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
}
