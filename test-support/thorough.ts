import { env } from 'node:process'

/** Every combination instead of a choice, as `PARLEY_THOROUGH=1` asks for, which `.ci/nightly` sets. */
export const isThorough = env['PARLEY_THOROUGH'] === '1'

/**
 * Of all combinations those that suffice for each two values of different axes to meet at least once, where they meet in
 * any; all of them when tests are to be thorough. The same ones each time.
 */
export function choosePairs<Row extends readonly unknown[]>(
  rows: readonly Row[],
  isWhole = isThorough,
): readonly Row[] {
  if (isWhole) return rows
  const open = new Set(rows.flatMap(pairsOf))
  const chosen = new Set<Row>()
  while (open.size > 0) {
    let best: Row | undefined
    let most = 0
    for (const row of rows) {
      const met = pairsOf(row).filter((pair) => open.has(pair)).length
      if (met > most) [best, most] = [row, met]
    }
    if (best === undefined) break
    chosen.add(best)
    for (const pair of pairsOf(best)) open.delete(pair)
  }
  return rows.filter((row) => chosen.has(row))
}

/** How often a property is tried, or how large a load is: by day a tenth of it, but at least ten. */
export function tries(count: number): number {
  return isThorough ? count : Math.min(count, Math.max(10, Math.ceil(count / 10)))
}

/** How much of a load, or how many rounds: little by day, `atNight` when tests are to be thorough. */
export function size(byDay: number, atNight: number): number {
  return isThorough ? atNight : byDay
}

function pairsOf(row: readonly unknown[]): readonly string[] {
  return row.flatMap((one, at) =>
    row.slice(at + 1).map((other, after) => JSON.stringify([at, one, at + 1 + after, other])),
  )
}
