import type { TurnEvent } from '@parley/host'
import { expect, test } from 'vitest'

import { emptyThread, applyEvent } from '../../src/terminal/thread.ts'

const answer = `# What grew
It is **the gateway**, see \`size.ts\` and [notes](https://example.com/n).

- [x] counted
- asked
| name | lines |
| --- | --: |
| a | 12 |
| **longer** | 3 |
done
\`\`\`ts
const a = 1 // one
\`\`\`
`

/** What is written, in pieces of some size, each with its look. */
function written(text: string, size: number) {
  let thread = emptyThread
  const lines: (readonly { readonly text: string; readonly look: string }[])[] = []
  const events: TurnEvent[] = []
  for (let at = 0; at < text.length; at += size) {
    events.push({ type: 'text', text: text.slice(at, at + size) })
  }
  events.push({ type: 'end', reason: 'answered', text })
  for (const event of events) {
    const received = applyEvent(thread, event)
    thread = received.thread
    lines.push(...received.lines)
  }
  return lines
}

const textOf = (text: string, size: number) =>
  written(text, size)
    .map((line) =>
      line
        .map((span) => span.text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trim()

test('an answer in Markdown is shown without its marks, with aligned columns', () => {
  expect(textOf(answer, 1_000)).toBe(`What grew
It is the gateway, see size.ts and notes (https://example.com/n).

☑ counted
• asked
name    lines
─────────────
a          12
longer      3
done
  ts
  const a = 1 // one`)
})

test('bold words, headings and code have looks of their own', () => {
  const spans = written(answer, 1_000).flat()
  const lookOf = (text: string) => spans.find((span) => span.text === text)?.look

  expect(lookOf('What grew')).toBe('bold')
  expect(lookOf('the gateway')).toBe('bold')
  expect(lookOf('size.ts')).toBe('accent')
  expect(lookOf('const')).toBe('accent')
  expect(lookOf('// one')).toBe('dim')
})

test('pieces of any size give the same lines', () => {
  expect(textOf(answer, 1)).toBe(textOf(answer, 1_000))
  expect(textOf(answer, 7)).toBe(textOf(answer, 1_000))
})

test('what looks like a table and is none stays as it is', () => {
  expect(textOf('| not a table |\nend', 3)).toBe('| not a table |\nend')
})
