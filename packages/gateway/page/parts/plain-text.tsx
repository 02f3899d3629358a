import type { ReactElement } from 'react'

/** What a reader would not see: marks of direction, characters of no width, control characters. */
const hidden =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c]|\p{Default_Ignorable_Code_Point}/gu

export interface PlainTextProps {
  /** Of a server or a client: it can be anything. */
  readonly text: string
  readonly most?: number
}

/** Text of strangers as text: nothing in it is markup, and what would not show is named. */
export function PlainText({ text, most = 2_000 }: PlainTextProps): ReactElement {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  const parts: (string | ReactElement)[] = []
  let from = 0
  for (const { index, 0: found } of shown.matchAll(hidden)) {
    parts.push(shown.slice(from, index), <Hidden key={index} character={found} />)
    from = index + found.length
  }
  parts.push(shown.slice(from))
  return (
    <bdi className="plain-text" dir="auto">
      {parts}
    </bdi>
  )
}

function Hidden({ character }: { readonly character: string }): ReactElement {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return (
    <span className="hidden-character" title="A character that does not show">
      U+{code}
    </span>
  )
}
