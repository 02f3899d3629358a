import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import { isBlocked, panelOf } from '../form/unreadable.ts'
import { Icon } from '../icons.tsx'
import type { AnswerProps } from './answer-props.ts'

export interface AnswerButtonsProps extends Pick<AnswerProps, 'isBusy' | 'onAnswer'> {
  readonly acceptLabel: string
  readonly onAccept: () => void
  /** What is seldom wanted: items of the menu `…`. */
  readonly menu?: ReactNode
  readonly children?: ReactNode
}

/** Three ends, always: an answer, a refusal, and going on without either. They mean different things to a server. */
export function AnswerButtons(props: AnswerButtonsProps): ReactElement {
  const { acceptLabel, onAccept, onAnswer, isBusy, menu, children } = props
  return (
    <div className="column-foot">
      <Tooltip label="Ends the question without an answer: the server is told neither yes nor no">
        <Button
          variant="subtle"
          color="gray"
          disabled={isBusy}
          data-cancel
          onClick={() => onAnswer({ action: 'cancel' })}
        >
          Dismiss
        </Button>
      </Tooltip>
      {menu !== undefined && (
        <Menu position="top-start" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label="More ways to answer">
              <Icon name="dots" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>{menu}</Menu.Dropdown>
        </Menu>
      )}
      <span className="grow" />
      {children}
      <Button variant="default" disabled={isBusy} onClick={() => onAnswer({ action: 'decline' })}>
        Decline
      </Button>
      <Button
        data-run
        loading={isBusy}
        onClick={({ currentTarget }) => {
          if (!isBlocked(panelOf(currentTarget))) onAccept()
        }}
      >
        {acceptLabel}
      </Button>
    </div>
  )
}
