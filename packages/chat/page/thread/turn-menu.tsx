import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { CopyText, showProblem } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { channel } from '../channel.ts'
import { show } from '../store.ts'

/** What can be done with a finished turn. */
export function TurnMenu({
  conversation,
  turn,
  text,
}: {
  readonly conversation: string
  readonly turn: number
  readonly text: string
}): ReactElement {
  async function fork() {
    const made = await channel.ask('conversations/fork', { id: conversation, turns: turn })
    await show(made.id)
  }
  return (
    <div className="turn-menu">
      {text !== '' && <CopyText text={text} label="Copy the answer" />}
      <Tooltip label="Go on from here in a new conversation">
        <ActionIcon
          aria-label={`Fork after turn ${turn}`}
          onClick={() => void fork().catch((error: unknown) => showProblem(error, 'Not forked'))}
        >
          <Icon name="repeat" size={15} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
