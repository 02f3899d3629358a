/**
 * Where one sequence first occurs in another; -1 if nowhere. In time linear in both, whatever they are (Knuth, Morris,
 * Pratt): `indexOf` takes the product of both for texts made for that.
 */
export function findSequence<Item>(items: ArrayLike<Item>, wanted: ArrayLike<Item>): number {
  if (wanted.length === 0) return 0
  const borders = bordersOf(wanted)
  let matched = 0
  for (let index = 0; index < items.length; index += 1) {
    while (matched > 0 && items[index] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (items[index] === wanted[matched]) matched += 1
    if (matched === wanted.length) return index + 1 - matched
  }
  return -1
}

/** For each length of a beginning of the sequence: how much of its end begins the sequence, too. */
function bordersOf<Item>(wanted: ArrayLike<Item>): Uint32Array {
  const borders = new Uint32Array(wanted.length)
  let length = 0
  for (let index = 1; index < wanted.length; index += 1) {
    while (length > 0 && wanted[index] !== wanted[length]) length = borders[length - 1] ?? 0
    if (wanted[index] === wanted[length]) length += 1
    borders[index] = length
  }
  return borders
}
