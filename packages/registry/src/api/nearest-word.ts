/** The known word that was most likely meant, if one is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const given = word.slice(0, 64).toLowerCase()
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceBetween(given, candidate.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)
  const [best] = ranked
  const most = Math.max(2, Math.floor(given.length / 3))
  return best !== undefined && best.distance <= most ? best.candidate : undefined
}

function distanceBetween(from: string, to: string): number {
  if (from.length > 2 && (to.startsWith(from) || from.startsWith(to))) return 1
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
