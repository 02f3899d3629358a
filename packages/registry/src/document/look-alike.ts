/** Letters of other scripts, and digits, that look like a Latin letter. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    b: 'ьв',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еεё',
    g: 'ɡ9',
    h: 'һн',
    i: '1lіιı|!í',
    j: 'ј',
    k: 'кκ',
    m: 'м',
    n: 'пη',
    o: '0оοσ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: '5ѕ$',
    t: 'тτ',
    u: 'υц',
    v: 'νѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
    z: '2ʐ',
  }).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
)

/**
 * A name as it looks to a hurried reader: letters that look alike become one, separators vanish. Two names with the same
 * skeleton are easily taken for each other.
 */
export function skeletonOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const folded = Array.from(plain, (letter) => lookalikes.get(letter) ?? letter).join('')
  return folded.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll(/[-_.]/g, '')
}

/** Whether one letter added, dropped, replaced or swapped with its neighbour makes one name from the other. */
export function differsByOneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const rest = a.slice(start)
  const otherRest = b.slice(start)
  if (rest.slice(1) === otherRest.slice(1) || rest.slice(1) === otherRest) return true
  if (rest === otherRest.slice(1)) return true
  return (
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
  )
}
