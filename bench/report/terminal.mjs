import { barValue, columns } from './columns.mjs'
import { sentence } from './figures.mjs'

const barWidth = 40

/** One case as a table with a bar for each row, and its verdicts. */
export function renderTerminal({ name, title, kind, rows, verdicts }) {
  const heads = ['', ...columns[kind].map(({ head }) => head)]
  const measured = rows.filter(({ failure }) => failure === undefined)
  const longest = Math.max(...measured.map(barValue[kind]), Number.MIN_VALUE)
  const lines = rows.map((row) => {
    if (row.failure !== undefined) return { cells: [row.title], tail: row.failure.trim() }
    const length = Math.max(1, Math.round((barValue[kind](row) / longest) * barWidth))
    return {
      cells: [row.title, ...columns[kind].map(({ cell }) => cell(row))],
      tail: '█'.repeat(length),
    }
  })
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...lines.map(({ cells }) => cells[index]?.length ?? 0)),
  )
  const layOut = (cells) =>
    cells.map((cell, index) =>
      index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]),
    )
  return [
    `\n${name}: ${title}`,
    `  ${layOut(heads).join('  ')}`,
    ...lines.map(({ cells, tail }) => `  ${layOut(cells).join('  ')}  ${tail}`),
    ...verdicts.map((verdict) => `  ${sentence(verdict)}`),
  ].join('\n')
}
