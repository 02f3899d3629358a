const base = 36
const [least, most] = [1, 26]
const skew = 38
const damp = 700

/** The letters that a label such as `xn--mnchen-3ya` stands for (RFC 3492); undefined if it stands for none. */
export function decodeLabel(label: string): string | undefined {
  if (!/^xn--/i.test(label)) return label
  const encoded = label.slice(4).toLowerCase()
  const lastDash = encoded.lastIndexOf('-')
  const letters = Array.from(encoded.slice(0, Math.max(0, lastDash)), (letter) =>
    letter.charCodeAt(0),
  )
  let [code, at, bias] = [128, lastDash + 1, 72]
  let index = 0
  while (at < encoded.length) {
    const before = index
    for (let [weight, step] = [1, base]; ; step += base) {
      const digit = digitOf(encoded.charCodeAt(at++))
      if (digit === undefined) return undefined
      index += digit * weight
      if (index > 0x7fffffff) return undefined
      const threshold = Math.min(most, Math.max(least, step - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    const count = letters.length + 1
    bias = adapt(index - before, count, before === 0)
    code += Math.floor(index / count)
    if (code > 0x10ffff) return undefined
    index %= count
    letters.splice(index++, 0, code)
  }
  return String.fromCodePoint(...letters)
}

/** `a` to `z` are 0 to 25, `0` to `9` are 26 to 35. */
function digitOf(code: number): number | undefined {
  if (code >= 97 && code <= 122) return code - 97
  return code >= 48 && code <= 57 ? code - 22 : undefined
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / damp) : delta >> 1
  rest += Math.floor(rest / count)
  let steps = 0
  for (; rest > ((base - least) * most) >> 1; steps += base)
    rest = Math.floor(rest / (base - least))
  return steps + Math.floor(((base - least + 1) * rest) / (rest + skew))
}
