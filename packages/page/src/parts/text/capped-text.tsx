import { Button } from '@mantine/core'
import { useState, type ReactElement } from 'react'

export interface CappedTextProps {
  readonly text: string
  /** How much is shown at first, and more with each press. */
  readonly limit?: number
  readonly className?: string
}

/** Text as it came: never markup, its line breaks kept, and no more of it at once than a page can bear. */
export function CappedText({ text, limit = 6000, className }: CappedTextProps): ReactElement {
  const [shown, setShown] = useState(limit)
  const rest = text.length - shown
  return (
    <>
      <pre className={className === undefined ? 'text' : `text ${className}`}>
        {rest > 0 ? text.slice(0, shown) : text}
      </pre>
      {rest > 0 && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => setShown(shown + Math.max(limit, 200_000))}
        >
          Show more ({rest.toLocaleString('en')} characters left)
        </Button>
      )}
    </>
  )
}
