/** One server-sent event, as its fields say it. */
export interface ParsedEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

export interface EventParserOptions {
  /** Characters of a line or an event that is not complete yet; more is too much. */
  readonly mostChars: number
  readonly onEvent: (event: ParsedEvent) => void
  readonly onRetry: (ms: number) => void
}

/** Takes the text of an event stream piece by piece, as it was cut on the way. False if too much of it is waiting. */
export type EventParser = (piece: string) => boolean

/** Time and memory are linear in what is read: pieces are joined once, when their line is complete. */
export function createEventParser({
  mostChars,
  onEvent,
  onRetry,
}: EventParserOptions): EventParser {
  let pieces: string[] = []
  let pieceChars = 0
  let data: string[] = []
  let dataChars = 0
  let id: string | undefined
  let event: string | undefined

  function takeLine(line: string): void {
    if (line === '') return endEvent()
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (name === 'data') {
      dataChars += value.length + (data.length === 0 ? 0 : 1)
      data.push(value)
    } else if (name === 'event') event = value || undefined
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value)) onRetry(Number(value))
  }

  /** Without data it is none. */
  function endEvent(): void {
    if (data.length > 0) onEvent({ id, event, data: data.join('\n') })
    data = []
    dataChars = 0
    id = undefined
    event = undefined
  }

  return (piece) => {
    pieces.push(piece)
    pieceChars += piece.length
    if (/[\r\n]/.test(piece)) {
      const lines = linesOf(pieces.join(''))
      const rest = lines.pop() ?? ''
      pieces = [rest]
      pieceChars = rest.length
      for (const line of lines) takeLine(line)
    }
    return pieceChars + dataChars <= mostChars
  }
}

/** The last one is not complete. A carriage return at the very end may be half of a line break. */
function linesOf(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\n|\r(?!$)/) : text.split('\n')
}
