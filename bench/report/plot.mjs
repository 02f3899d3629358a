// A plot as SVG, by hand: two logarithmic axes, a line for each contestant, readable on light and dark pages.
import { metric } from './figures.mjs'

const width = 640
const height = 360
const frame = { left: 70, right: 150, top: 48, bottom: 52 }
const colors = ['#2f6fde', '#8a8a8a', '#c9582b', '#4b9b5f']

/** The lines of one curve; on these axes a straight line at 45° is linear, a level one is flat. */
export function renderPlot({ title, axis, lines }) {
  const all = lines.flatMap(({ points }) => points)
  const xScale = logScale(rangeOf(all.map(({ x }) => x)), [frame.left, width - frame.right])
  const yScale = logScale(rangeOf(all.map(({ y }) => y)), [height - frame.bottom, frame.top])
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${escapeText(title)}">
<style>text{fill:#333}.grid{stroke:#ddd}@media(prefers-color-scheme:dark){text{fill:#ccc}.grid{stroke:#444}}</style>
<text x="${frame.left}" y="24" font-size="14">${escapeText(title)}</text>
${yScale.ticks.map((y) => horizontal(yScale.at(y), y)).join('\n')}
${[...new Set(all.map(({ x }) => x))].map((x) => label(xScale.at(x), height - frame.bottom + 20, short(x), 'middle')).join('\n')}
${label((frame.left + width - frame.right) / 2, height - 10, axis, 'middle')}
${label(frame.left, 40, 'CPU µs', 'end')}
${lines.map((line, index) => drawLine(line, colors[index % colors.length], xScale, yScale)).join('\n')}
</svg>
`
}

function drawLine({ title, points }, color, xScale, yScale) {
  const places = points.map(({ x, y }) => `${round(xScale.at(x))},${round(yScale.at(y))}`)
  const last = points.at(-1)
  return [
    `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...points.map(({ x, y }, index) => {
      const [cx, cy] = places[index].split(',')
      const told = `${title}: ${metric(y)} µs at ${short(x)}`
      return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${color}"><title>${escapeText(told)}</title></circle>`
    }),
    label(xScale.at(last.x) + 10, yScale.at(last.y) + 4, title, 'start'),
  ].join('\n')
}

function horizontal(y, value) {
  const at = round(y)
  return `<line class="grid" x1="${frame.left}" x2="${width - frame.right}" y1="${at}" y2="${at}"/>
${label(frame.left - 8, y + 4, short(value), 'end')}`
}

function label(x, y, text, anchor) {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(text)}</text>`
}

/** Whole powers of ten around the values, so that a plot without growth does not look like one with it. */
function rangeOf(values) {
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)))
  return [low, Math.max(10 ** Math.ceil(Math.log10(Math.max(...values))), low * 10)]
}

function logScale([low, high], [start, end]) {
  const decades = Math.round(Math.log10(high / low))
  return {
    at: (value) => start + ((end - start) * Math.log10(value / low)) / decades,
    ticks: Array.from({ length: decades + 1 }, (_, power) => low * 10 ** power),
  }
}

/** 1,048,576 as `1 Mi`, 10,000 as `10,000`. */
function short(value) {
  if (value >= 2 ** 20 && value % 2 ** 20 === 0) return `${value / 2 ** 20} Mi`
  if (value >= 2 ** 10 && value % 2 ** 10 === 0) return `${value / 2 ** 10} Ki`
  return value.toLocaleString('en-US')
}

function round(value) {
  return Math.round(value * 10) / 10
}

function escapeText(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
