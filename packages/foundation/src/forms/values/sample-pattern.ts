/**
 * A text for the plain patterns people write: literals, classes, escapes, groups, counts. Undefined for what it does
 * not read; whoever asks checks the text, so a wrong guess costs nothing.
 */
export function sampleOfPattern(pattern: string, minLength: number): string | undefined {
  let position = 0
  let budget = 2000
  let open = 0

  function alternatives(): string | undefined {
    const first = sequence()
    while (pattern[position] === '|') {
      position++
      if (sequence() === undefined) return undefined
    }
    return first
  }

  function sequence(): string | undefined {
    let text = ''
    while (position < pattern.length && pattern[position] !== '|' && pattern[position] !== ')') {
      const parsed = atom()
      if (parsed === undefined) return undefined
      const times = Math.min(count(text.length), 10_000)
      budget -= parsed.length * times
      if (budget < 0) return undefined
      text += parsed.repeat(times)
    }
    return text
  }

  function atom(): string | undefined {
    const sign = pattern[position++]
    if (sign === '^' || sign === '$') return ''
    if (sign === '.') return 'a'
    if (sign === '[') return characterClass()
    if (sign === '\\') return escaped(pattern[position++])
    if (sign !== '(') return sign
    if (pattern[position] === '?') {
      const name = /^\?(:|<[A-Za-z]\w*>)/.exec(pattern.slice(position))
      if (!name) return undefined
      position += name[0].length
    }
    if (++open > 100) return undefined
    const inner = alternatives()
    return pattern[position++] === ')' ? inner : undefined
  }

  function characterClass(): string | undefined {
    const end = pattern.indexOf(']', position + 1)
    if (end === -1) return undefined
    const body = pattern.slice(position, end)
    position = end + 1
    if (body.startsWith('^')) return ['a', '1', ' ', '-', '_'].find((sign) => !body.includes(sign))
    return body.startsWith('\\') ? escaped(body[1]) : body[0]
  }

  function count(written: number): number {
    const sign = pattern[position] ?? ''
    const wanted = Math.max(1, minLength - written)
    if (sign === '*' || sign === '+' || sign === '?') {
      position++
      if (pattern[position] === '?') position++
      return sign === '?' ? 0 : sign === '*' ? (minLength > written ? wanted : 0) : wanted
    }
    const bounds = /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(position))
    if (!bounds) return 1
    position += bounds[0].length
    const least = Number(bounds[1])
    const most = bounds[2] === undefined ? least : bounds[3] === '' ? Infinity : Number(bounds[3])
    return Math.min(most, Math.max(least, wanted))
  }

  const text = alternatives()
  return position === pattern.length ? text : undefined
}

function escaped(sign: string | undefined): string | undefined {
  if (sign === undefined || /[bBpPuxk1-9]/.test(sign)) return undefined
  const escapes: { readonly [sign: string]: string } = {
    d: '1',
    w: 'a',
    s: ' ',
    D: 'a',
    S: 'a',
    W: '-',
  }
  return escapes[sign] ?? sign
}
