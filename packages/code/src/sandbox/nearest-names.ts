/** The names most like another one, best first. */
export function nearestNames(name: string, names: readonly string[], count = 3): readonly string[] {
  const wanted = normal(name)
  const ranked = names.map((one) => ({ one, distance: distanceOf(wanted, normal(one)) }))
  const near = ranked.filter(({ one, distance }) => distance <= Math.max(3, one.length * 0.6))
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ one }) => one)
}

function normal(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
}

/** Changes of one character that lead from one to the other; a part that is whole counts as near. */
function distanceOf(one: string, other: string): number {
  if (one !== '' && other.endsWith(`_${one}`)) return 0
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
