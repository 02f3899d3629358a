import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import { isHeldBack, panelOf } from '../form/unreadable.ts'
import { Icon } from '../icons.tsx'
import type { AnswerProps } from './answer-props.ts'

export interface AnswerButtonsProps extends Pick<AnswerProps, 'isBusy' | 'onAnswer'> {
  readonly acceptLabel: string
  readonly onAccept: () => void
  readonly children?: ReactNode
}

/** Three ends, always: accept, decline, cancel. They mean different things to a server. */
export function AnswerButtons(props: AnswerButtonsProps): ReactElement {
  const { acceptLabel, onAccept, onAnswer, isBusy, children } = props
  return (
    <div className="column-foot">
      <Button
        data-run
        loading={isBusy}
        leftSection={<Icon name="check" size={14} />}
        onClick={({ currentTarget }) => {
          if (!isHeldBack(panelOf(currentTarget))) onAccept()
        }}
      >
        {acceptLabel}
      </Button>
      <Button variant="default" disabled={isBusy} onClick={() => onAnswer({ action: 'decline' })}>
        Decline
      </Button>
      <Button
        variant="default"
        disabled={isBusy}
        data-cancel
        onClick={() => onAnswer({ action: 'cancel' })}
      >
        Cancel
      </Button>
      <span className="grow" />
      {children}
    </div>
  )
}
