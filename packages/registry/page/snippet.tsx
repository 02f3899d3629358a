import { CopyText, showHidden } from '@parley/page/parts'
import type { ReactElement } from 'react'

export interface SnippetProps {
  readonly text: string
  /** Of the button that copies it. */
  readonly label: string
}

/** Text to paste: shown and copied are the same. */
export function Snippet({ text, label }: SnippetProps): ReactElement {
  const shown = showHidden(text)
  return (
    <div className="snippet">
      <pre
        className="text"
        tabIndex={0}
        role="region"
        aria-label={label.replace('Copy the', 'The')}
      >
        {shown}
      </pre>
      <CopyText text={shown} label={label} />
    </div>
  )
}
