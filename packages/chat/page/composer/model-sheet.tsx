import { Button } from '@mantine/core'
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react'

import { PickModel } from '../welcome/pick-model.tsx'

/** Another model, in place of those that were used before. */
export function ModelSheet({
  current,
  onPicked,
  onClose,
}: {
  readonly current: string
  readonly onPicked: (name: string) => void
  readonly onClose: () => void
}): ReactElement {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.focus(), [])
  return (
    <section
      ref={frame}
      className="sheet composer-sheet"
      aria-label="Another model"
      tabIndex={-1}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <h2 className="sheet-title">Another model</h2>
      <PickModel current={current} onPicked={onPicked} />
      <div className="sheet-buttons">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  )
}
