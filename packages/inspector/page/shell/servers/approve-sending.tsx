import { Button, Group, Modal } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Note, ProblemNote, problemOf } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { closeDialog } from '../../view.ts'
import { ReadsView } from './reads-view.tsx'

/** Shows what a project's file reads of the user's and where it goes, and sends nothing before the user says so. */
export function ApproveSending({ server }: { readonly server: ServerView }): ReactElement | null {
  const { name, source, approval } = server
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  if (approval?.to === undefined) return null
  const { reads, to } = approval

  async function approve() {
    setState({ isBusy: true })
    try {
      await openChannel().ask('servers/approve', { name, reads, to })
      closeDialog()
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <Modal opened onClose={closeDialog} title={`Connect ${name}?`} size="lg">
      <div className="stack">
        <Note tone="warning" title="This sends some of your data to an address">
          <span className="wrap">{source}</span> came with the project. Approve it only if you know
          who wrote it. You are asked again when the address or what is sent changes.
        </Note>
        <ReadsView reads={reads} to={to} />
        {state.error !== undefined && (
          <ProblemNote problem={problemOf(state.error)} title="It is not connected" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog} data-autofocus>
            Do not connect
          </Button>
          <Button
            loading={state.isBusy}
            leftSection={<Icon name="plug" size={14} />}
            onClick={() => void approve()}
          >
            Approve
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
