import { contestants, missingBuild } from '../contestants.mjs'
import { interleave } from './interleave.mjs'

/** One line for us and one for the floor, with the median cost at each point. */
export async function runCurve({ points, measure }, { rounds = 3, onProgress }) {
  const lines = contestants
    .filter(({ name }) => name === 'parley' || name === 'floor')
    .map(({ name, title }) => ({ name, title, points: [] }))
  for (const x of points) {
    const rows = await interleave(lines, {
      rounds,
      onProgress: (text) => onProgress?.(`${x}  ${text}`),
      missing: ({ name }) => (name === 'parley' ? missingBuild() : undefined),
      measure: (line) => measure(line, x),
    })
    rows.forEach(({ figures, failure }, index) => {
      if (failure !== undefined) throw new Error(failure)
      lines[index].points.push({ x, y: figures.cpuMicros })
    })
  }
  return lines
}

/**
 * How a line grows over its upper half, where fixed costs no longer hide it: the exponent of x, 0 for flat and 1 for
 * linear.
 */
export function growthOf(points) {
  const upper = points.slice(Math.floor(points.length / 2))
  const first = upper[0]
  const last = upper.at(-1)
  return Math.log(last.y / first.y) / Math.log(last.x / first.x)
}
