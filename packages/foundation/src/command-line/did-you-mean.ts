/** The known word that was most likely meant, if one is near. */
export function didYouMean(word: string, names: Iterable<string>): string | undefined {
  const ranked = [...names]
    .map((candidate) => ({ candidate, distance: distanceBetween(word, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  const [best] = ranked
  const most = Math.max(2, Math.floor(word.length / 3))
  return best !== undefined && best.distance <= most ? best.candidate : undefined
}

/** How many letters have to be added, dropped or replaced; a beginning is nearly right. */
function distanceBetween(from: string, to: string): number {
  if (from.length > 1 && to.startsWith(from)) return 1
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + change,
      )
    }
    last = current
  }
  return last[to.length] ?? 0
}
