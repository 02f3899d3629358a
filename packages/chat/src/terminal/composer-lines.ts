import { textWidth } from '@parley/foundation/terminal'

import type { Composer } from './composer.ts'
import { safeLetters, type Line } from './line.ts'

/** The text with its cursor, wrapped. The first line begins with the prompt, the others are indented like it. */
export function composerLines(
  { text, cursor }: Composer,
  width: number,
  prompt: string,
): readonly Line[] {
  const columns = Math.max(8, width - textWidth(prompt) - 1)
  const lines: Line[] = []
  let start = 0
  for (const whole of text.split('\n')) {
    let from = start
    for (const part of wrapHard(whole, columns)) {
      const isHere =
        cursor >= from && (cursor < from + part.length || cursor === start + whole.length)
      const isLast = from + part.length === start + whole.length
      const holds = isHere && (cursor < from + part.length || isLast)
      const head = {
        text: lines.length === 0 ? prompt : ' '.repeat(textWidth(prompt)),
        look: 'accent',
      } as const
      lines.push([head, ...(holds ? withCursor(part, cursor - from) : [plain(part)])])
      from += part.length
    }
    start += whole.length + 1
  }
  return lines
}

function plain(text: string) {
  return { text: safeLetters(text), look: 'plain' } as const
}

function withCursor(text: string, at: number): Line {
  const letter = [...letters.segment(text.slice(at))][0]?.segment ?? ''
  return [
    plain(text.slice(0, at)),
    { text: letter === '' ? ' ' : safeLetters(letter), look: 'cursor' },
    plain(text.slice(at + letter.length)),
  ]
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Every letter is kept, spaces too: the cursor may stand on them. */
function wrapHard(text: string, width: number): readonly string[] {
  if (text === '') return ['']
  const parts: string[] = []
  let current = ''
  let used = 0
  for (const { segment } of letters.segment(text)) {
    const columns = textWidth(safeLetters(segment))
    if (used + columns > width && current !== '') {
      parts.push(current)
      current = ''
      used = 0
    }
    current += segment
    used += columns
  }
  parts.push(current)
  return parts
}
