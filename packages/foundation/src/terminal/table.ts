import { fitText, padText, textWidth, wrapText } from './text-width.ts'

/** How one column behaves when there is not enough room. */
export interface TableColumn {
  /** The title of the column; no line of titles if no column has one. */
  readonly title?: string | undefined
  /** On which side the text stands. @defaultValue 'left' */
  readonly align?: 'left' | 'right' | undefined
  /** `wrap` goes on in the next line, `cut` ends with a mark, `keep` never shrinks. @defaultValue 'cut' */
  readonly overflow?: 'wrap' | 'cut' | 'keep' | undefined
  /** Makes a cell that fits look its part; must not change its width. */
  readonly style?: ((text: string) => string) | undefined
}

/** The space for a table. */
export interface TableOptions {
  /** The most characters in a line. */
  readonly width: number
  /** How each column behaves, from left to right. */
  readonly columns: readonly TableColumn[]
  /** Between columns. @defaultValue two spaces */
  readonly gap?: string | undefined
  /** The text at the start of each line. @defaultValue nothing */
  readonly indent?: string | undefined
  /** Makes a title look its part; must not change its width. */
  readonly styleTitle?: ((text: string) => string) | undefined
}

const narrowest = 8

/** Rows as lines that fit the width. Cells must be safe text without line breaks, except in columns that wrap. */
export function formatTable(rows: readonly (readonly string[])[], options: TableOptions): string {
  const { columns, gap = '  ', indent = '', styleTitle = (text: string) => text } = options
  const titles = columns.some(({ title }) => title !== undefined)
    ? [columns.map(({ title = '' }) => title)]
    : []
  const available = options.width - textWidth(indent) - gap.length * (columns.length - 1)
  const widths = columnWidths([...titles, ...rows], columns, available)

  const line = (cells: readonly string[], style: (text: string, at: number) => string) =>
    indent +
    cells
      .map((cell, at) => {
        const { align } = columns[at] ?? {}
        const isLast = at === cells.length - 1 && align !== 'right'
        const padded = isLast ? cell : padText(cell, widths[at] ?? 0, align)
        return style(padded, at)
      })
      .join(gap)
      .trimEnd()

  const body = rows.flatMap((row) =>
    linesOf(row, columns, widths).map((cells) =>
      line(cells, (text, at) => columns[at]?.style?.(text) ?? text),
    ),
  )
  return [...titles.map((cells) => line(cells, (text) => styleTitle(text))), ...body].join('\n')
}

/** One row as as many lines as its highest cell. */
function linesOf(
  row: readonly string[],
  columns: readonly TableColumn[],
  widths: readonly number[],
): readonly (readonly string[])[] {
  const cells = columns.map(({ overflow = 'cut' }, at) => {
    const text = row[at] ?? ''
    const width = widths[at] ?? 0
    if (overflow === 'wrap') return wrapText(text, width)
    return [overflow === 'keep' ? text : fitText(text, width)]
  })
  const height = Math.max(1, ...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''))
}

/** Returns the widths of the columns; if they are too wide, the widest that may shrink do so first. */
function columnWidths(
  rows: readonly (readonly string[])[],
  columns: readonly TableColumn[],
  available: number,
): readonly number[] {
  const widths = columns.map(({ overflow }, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    const lines = overflow === 'wrap' ? cells.flatMap((cell) => cell.split('\n')) : cells
    return Math.max(0, ...lines.map(textWidth))
  })
  let excess = widths.reduce((sum, width) => sum + width, 0) - available
  while (excess > 0) {
    const widest = widths.reduce(
      (best, width, at) =>
        columns[at]?.overflow !== 'keep' && width > (widths[best] ?? -1) ? at : best,
      columns.findIndex(({ overflow }) => overflow !== 'keep'),
    )
    const width = widths[widest]
    if (width === undefined || width <= narrowest) break
    widths[widest] = width - 1
    excess -= 1
  }
  return widths
}
