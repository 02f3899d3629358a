/** More than anybody reads in a page; the text has the rest. */
const maxRows = 5000
const maxCells = 200_000

/** A table of text. */
export interface CsvTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Whether rows were left out. */
  readonly isCut: boolean
}

/** Reads comma-separated values (RFC 4180), also those separated by semicolons or tabs. Any text gives a table. */
export function readCsv(text: string, separator: string = findSeparator(text)): CsvTable {
  const rows: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let count = 0
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (; at < text.length && rows.length <= maxRows && count < maxCells; at += 1) {
    const char = text.charAt(at)
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text.charAt(at + 1) === '"') cell += text.charAt((at += 1))
      else isQuoted = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === separator) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r' || text.charAt(at + 1) !== '\n') cell += char
  }
  if (cell !== '' || cells.length > 0) endRow()
  const [head = [], ...others] = rows
  return { head, rows: others, isCut: at < text.length }

  function endCell() {
    cells.push(cell)
    cell = ''
    count += 1
  }

  function endRow() {
    endCell()
    if (cells.length > 1 || cells[0] !== '') rows.push(cells)
    cells = []
  }
}

/** Whether a text that nobody calls a table is one: several lines with the same number of cells, more than two. */
export function looksLikeCsv(text: string): boolean {
  const { head, rows } = readCsv(text.slice(0, 4000))
  const seen = text.length > 4000 ? rows.slice(0, -1) : rows
  const isEven = seen.every(({ length }) => length === head.length)
  return head.length > 2 && seen.length > 0 && isEven && head.every((name) => name.length < 80)
}

/** What separates most in the first line. */
function findSeparator(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split('\n', 1)
  const [best = ','] = [',', ';', '\t'].toSorted((a, b) => countOf(line, b) - countOf(line, a))
  return best
}

function countOf(text: string, part: string): number {
  return text.split(part).length
}
