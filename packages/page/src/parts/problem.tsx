import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Problem } from '@parley/foundation/channel'
import { errorMessage } from '@parley/mcp/json'
import type { ReactElement, ReactNode } from 'react'

import { ChannelError } from '../channel/channel.ts'
import { Icon, type IconName } from '../icons.tsx'

/** What went wrong, whoever threw it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ChannelError) return error.problem
  return { code: 'page', message: errorMessage(error) }
}

/** Shows for a while what went wrong with something the user asked for. */
export function showProblem(error: unknown, title: string): void {
  const { message, hint } = problemOf(error)
  notifications.show({
    color: 'red',
    title,
    message: hint === undefined ? message : `${message} ${hint}`,
    autoClose: 8000,
    withBorder: true,
  })
}

const icons: Readonly<Record<NoteProps['tone'], IconName>> = {
  info: 'info',
  good: 'check',
  warning: 'alert',
  bad: 'alert',
}

export interface NoteProps {
  readonly tone: 'info' | 'good' | 'warning' | 'bad'
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Read out when it appears. */
  readonly isUrgent?: boolean
}

/** A framed remark: an icon, words, and what can be done. */
export function Note({ tone, title, children, action, isUrgent }: NoteProps): ReactElement {
  return (
    <div className="note" data-tone={tone} {...(isUrgent && { role: 'alert' })}>
      <Icon name={icons[tone]} size={16} />
      <div className="note-body">
        {title !== undefined && <div className="note-title">{title}</div>}
        {children !== undefined && <div className="note-text">{children}</div>}
      </div>
      {action !== undefined && <div className="note-action">{action}</div>}
    </div>
  )
}

export interface ProblemNoteProps {
  readonly problem: Problem
  readonly title: string
  readonly retry?: (() => void) | undefined
  /** What else can be done. */
  readonly action?: ReactNode
}

/** A failure with its hint, and a way to try again. */
export function ProblemNote({ problem, title, retry, action }: ProblemNoteProps): ReactElement {
  return (
    <Note
      tone="bad"
      title={
        <Group gap={8} component="span">
          {title} <code className="code-inline">{problem.code}</code>
        </Group>
      }
      action={
        (retry || action !== undefined) && (
          <Group gap={8}>
            {action}
            {retry && (
              <Button variant="default" size="xs" onClick={retry}>
                Try again
              </Button>
            )}
          </Group>
        )
      }
    >
      <div className="wrap">{problem.message}</div>
      {problem.hint !== undefined && <div className="hint wrap">{problem.hint}</div>}
    </Note>
  )
}
