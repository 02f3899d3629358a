import { Button, Modal } from '@mantine/core'
import { announce, showProblem } from '@parley/page/parts'
import { useState, type ReactElement, type ReactNode } from 'react'

import { useReturnedFocus } from './returned-focus.ts'

export interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The word on the button: `Stop`. */
  readonly word: string
  readonly isDangerous?: boolean | undefined
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is done that others notice. */
export function Confirm(props: ConfirmProps): ReactElement {
  const { title, children, word, isDangerous, onConfirm, onClose } = props
  const [isBusy, setIsBusy] = useState(false)
  useReturnedFocus()
  const act = async () => {
    setIsBusy(true)
    try {
      await onConfirm()
      announce(`${title}: done`)
      onClose()
    } catch (error) {
      setIsBusy(false)
      showProblem(error, `${title} failed`)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <div className="stack">
        <div>{children}</div>
        <div className="row end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            {...(isDangerous && { color: 'red' })}
            loading={isBusy}
            onClick={() => void act()}
          >
            {word}
          </Button>
        </div>
        <p className="quiet">It is written to the audit.</p>
      </div>
    </Modal>
  )
}
