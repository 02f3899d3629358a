import { hasInvisible, hiddenParts } from '@parley/foundation/text-safety'
import type { ReactElement } from 'react'

export interface PlainTextProps {
  /** Text of a server or a client: it can be anything. */
  readonly text: string
  readonly most?: number
}

/** Text of strangers as text: nothing in it is markup, and what would not show is named. */
export function PlainText({ text, most = 2_000 }: PlainTextProps): ReactElement {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  const parts = hiddenParts(shown).flatMap(({ text: piece, isHidden }, at) =>
    isHidden
      ? Array.from(piece, (letter, index) => shownLetter(letter, `${at} ${index}`))
      : [piece],
  )
  return (
    <bdi className="plain-text" dir="auto">
      {parts}
    </bdi>
  )
}

/** A run of hidden characters can hold the visible rest of an escape sequence. */
function shownLetter(letter: string, key: string): string | ReactElement {
  return hasInvisible(letter) ? <Hidden key={key} character={letter} /> : letter
}

function Hidden({ character }: { readonly character: string }): ReactElement {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return (
    <span className="hidden-character" title="A character that does not show">
      U+{code}
    </span>
  )
}
