/** The known word that somebody most likely meant, if one is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    const distance = candidate.startsWith(word) ? 1 : editDistance(word, candidate)
    if (distance < (best?.distance ?? Infinity)) best = { word: candidate, distance }
  }
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.word : undefined
}

/** How many letters to insert, drop, replace or swap with their neighbour. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        number(last[column]) + 1,
        number(current[column - 1]) + 1,
        number(last[column - 1]) + (isSame ? 0 : 1),
        isSwap ? number(before[column - 2]) + 1 : Infinity,
      )
    }
    before = last
    last = current
  }
  return number(last[to.length])
}

function number(value: number | undefined): number {
  return value ?? Infinity
}
