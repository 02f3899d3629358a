import type { ReactElement } from 'react'

/** As many as the style sheet has. */
const tones = 6

/** Stands for a server. */
export function Initials({
  name,
  size = 36,
}: {
  readonly name: string
  readonly size?: number
}): ReactElement {
  const own = name.slice(name.indexOf('/') + 1)
  const words = own.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, 2).map((word) => Array.from(word)[0] ?? '')
  return (
    <span
      className="initials"
      data-tone={toneOf(name)}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      aria-hidden="true"
    >
      {letters.join('').toUpperCase() || '·'}
    </span>
  )
}

/** The same name has the same colour everywhere. */
function toneOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return sum % tones
}
