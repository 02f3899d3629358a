import { barValue, columns } from './columns.mjs'
import { metric, sentence } from './figures.mjs'

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

/** One curve as a bar for each point of ours, with the floor's figure beside it, and how it grows. */
export function renderCurve({ name, title, axis, expects, growth, lines: [ours, floor] }) {
  const longest = Math.max(...ours.points.map(({ y }) => y))
  return [
    `\n${name}: ${title}`,
    ...ours.points.map(({ x, y }, index) => {
      const cost = `${metric(y)} µs`.padStart(12)
      const beside = `floor ${metric(floor.points[index].y)}`.padStart(16)
      const bar = '█'.repeat(Math.max(1, Math.round((y / longest) * barWidth)))
      return `  ${x.toLocaleString('en-US').padStart(12)} ${axis}${cost}${beside}  ${bar}`
    }),
    `  grows with the power ${growth.toFixed(2)} of ${axis}; ${expects} is ${powers[expects]}`,
  ].join('\n')
}

/** The power that goes with the word. */
export const powers = { flat: 0, linear: 1 }
