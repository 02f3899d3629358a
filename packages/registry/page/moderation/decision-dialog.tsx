import { Button, Group, Modal, Textarea } from '@mantine/core'
import type { Problem } from '@parley/page/channel'
import { announce, ProblemNote } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { ask, askProblemOf } from '../ask.ts'

/** Something to decide, and what is sent for it. */
export interface Decision {
  readonly title: string
  /** What it does, in a sentence. */
  readonly effect: string
  readonly button: string
  /** What is asked for: why, or the text of a note. */
  readonly field: 'reason' | 'text'
  /** The body of `POST x/moderation`, without this field. */
  readonly body: { readonly [name: string]: unknown }
}

export interface DecisionDialogProps {
  readonly decision: Decision
  readonly onClose: () => void
  /** It was taken. */
  readonly onDone: () => void
}

/** Asks for a reason, and decides: every decision is written down with it. */
export function DecisionDialog(props: DecisionDialogProps): ReactElement {
  const { decision, onClose, onDone } = props
  const { title, effect, button, field, body } = decision
  const [text, setText] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; problem?: Problem }>({ isBusy: false })

  async function decide(event: FormEvent): Promise<void> {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      await ask('x/moderation', { body: { ...body, [field]: text.trim() } })
      announce('Done.')
      onDone()
    } catch (error) {
      setState({ isBusy: false, problem: askProblemOf(error) })
    }
  }

  return (
    <Modal opened onClose={onClose} title={title}>
      <form className="stack" onSubmit={(event) => void decide(event)}>
        <p className="wrap">{effect}</p>
        <Textarea
          label={field === 'reason' ? 'Reason' : 'Note'}
          description={
            field === 'reason' ? 'Shown to everybody who asks for it.' : 'For moderators only.'
          }
          value={text}
          maxLength={field === 'reason' ? 500 : 2_000}
          autosize
          minRows={2}
          maxRows={8}
          required
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {state.problem !== undefined && (
          <ProblemNote problem={state.problem} title="Nothing was changed" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={state.isBusy} disabled={text.trim() === ''}>
            {button}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
