/** Puts text together that comes in pieces: blocks apart by an empty line, white space as browsers show it. */
export interface MarkdownWriter {
  text(text: string): void
  /** As it is, in the line; nothing in text that is as it is. */
  sign(sign: string): void
  /** Begins a line, unless one just began. */
  line(mark?: string): void
  /** Begins a block, unless one just began. */
  block(mark: string): void
  /** Begins text as it is; what it returns ends it. */
  fence(): () => void
  end(): string
}

/** Pieces are joined when there are this many, so that there are never many small ones. */
const maxPieces = 4_096

/** An empty text to be added to. */
export function createMarkdownWriter(): MarkdownWriter {
  const done: string[] = []
  let pieces: string[] = []
  /** Line ends that are due before the next text. */
  let due = 0
  /** Of a block or line, for its first text. */
  let mark = ''
  let hasSpace = true
  let isPlain = false
  let isBegun = false

  function put(text: string): void {
    if (due > 0 && isBegun) pieces.push('\n'.repeat(due))
    pieces.push(mark, text)
    due = 0
    mark = ''
    isBegun = true
    if (pieces.length > maxPieces) {
      done.push(pieces.join(''))
      pieces = []
    }
  }
  function breakLine(count: number, next: string): void {
    due = Math.max(due, count)
    if (next !== '') mark = next
    hasSpace = true
  }

  return {
    text(text) {
      if (isPlain) return put(text)
      let shown = text.replaceAll(/[\t\n\f\r ]+/g, ' ')
      if (hasSpace && shown.startsWith(' ')) shown = shown.slice(1)
      if (shown === '') return
      hasSpace = shown.endsWith(' ')
      put(shown)
    },
    sign(sign) {
      if (sign === '' || isPlain) return
      hasSpace = false
      put(sign)
    },
    line: (next = '') => breakLine(1, next),
    block: (next) => breakLine(2, next),
    fence() {
      breakLine(2, '')
      put('```\n')
      isPlain = true
      return () => {
        isPlain = false
        put('\n```')
        breakLine(2, '')
      }
    },
    end: () => [...done, ...pieces].join('').trim(),
  }
}
