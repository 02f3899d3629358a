import { safeText, textWidth, wrapText } from '@parley/foundation/terminal'

/** How a piece of text looks. Without colours it looks like all others. */
export type Look = 'plain' | 'dim' | 'bold' | 'good' | 'warning' | 'bad' | 'accent' | 'cursor'

/** A piece of a line. Its text has no control codes. */
export interface Span {
  readonly text: string
  readonly look: Look
}

/** One line of the terminal. */
export type Line = readonly Span[]

const maxTextLength = 20_000

/** Text of a server, a model or a person on one line: control codes and hidden characters show as their codes. */
export function flat(text: string, most = 1_000): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return safeText(cut.replaceAll(/\s*\n\s*/g, ' ').replaceAll('\t', ' '), { multiline: false })
}

/** The same on several lines. */
export function shown(text: string, most = maxTextLength): string {
  const cut =
    text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text
  return safeText(cut.replaceAll('\t', '    '))
}

export function line(text: string, look: Look = 'plain'): Line {
  return [{ text, look }]
}

/** Lines of at most that width, each after the indent. The text is made safe. */
export function paragraph(
  text: string,
  width: number,
  look: Look = 'plain',
  indent = '',
): readonly Line[] {
  const columns = Math.max(8, width - textWidth(indent))
  return wrapText(shown(text), columns).map((item) => [
    ...(indent === '' ? [] : [{ text: indent, look: 'dim' as const }]),
    { text: item, look },
  ])
}

/** A line that may be too long, in as many as it takes. */
export function wrapLine(spans: Line, width: number): readonly Line[] {
  const lines: Span[][] = [[]]
  let used = 0
  for (const { text, look } of spans) {
    let rest = used === 0 && lines.length > 1 ? text.trimStart() : text
    while (rest !== '') {
      const columns = Math.max(1, width - used)
      const [first = ''] = wrapText(rest, columns)
      const isWhole = textWidth(rest) <= columns
      const part = isWhole ? rest : first
      if (!isWhole && used > 0 && part === '') {
        lines.push([])
        used = 0
        continue
      }
      lines.at(-1)?.push({ text: part, look })
      used += textWidth(part)
      rest = isWhole ? '' : rest.slice(part.length).replace(/^\s/, '')
      if (rest !== '') {
        lines.push([])
        used = 0
      }
    }
  }
  return lines
}

/** Letters that a person typed or pasted: what a terminal would obey shows as its code. */
export function safeLetters(text: string): string {
  return safeText(text.replaceAll('\t', '    '), { multiline: false })
}
