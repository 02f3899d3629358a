import { Button, Group, Modal } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Note, showProblem } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { closeDialog } from '../../view.ts'
import { CommandView } from './command-view.tsx'
import { ReadsView } from './reads-view.tsx'

/** Shows exactly what would be started, word by word, and starts nothing before the user says so. */
export function ConfirmCommand({ server }: { readonly server: ServerView }): ReactElement | null {
  const { name, entry, source, approval } = server
  const [isBusy, setIsBusy] = useState(false)
  if (!('command' in entry)) return null
  const argv = [entry.command, ...(entry.args ?? [])]
  const { env, cwd } = entry

  async function confirm() {
    setIsBusy(true)
    try {
      await openChannel().ask('servers/confirm', {
        name,
        argv,
        ...(env && { env }),
        ...(cwd !== undefined && { cwd }),
      })
      closeDialog()
    } catch (error) {
      // The page behind says why, with the buttons that help.
      closeDialog()
      showProblem(error, `${name} did not start`)
      setTimeout(() => document.querySelector<HTMLElement>('[data-failed]')?.focus(), 50)
    }
  }

  return (
    <Modal opened onClose={closeDialog} title={`Start ${name}?`} size="lg">
      <div className="stack">
        <Note tone="warning" title="This starts a program on your machine with your permissions">
          {approval === undefined ? (
            'Start it only if you know where it comes from.'
          ) : (
            <>
              <span className="wrap">{source}</span> came with the project. Start it only if you
              know who wrote it. You are asked again when it changes.
            </>
          )}
        </Note>
        <CommandView entry={entry} />
        {approval && <ReadsView {...approval} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog} data-autofocus>
            Do not start
          </Button>
          <Button
            loading={isBusy}
            leftSection={<Icon name="play" size={14} />}
            onClick={() => void confirm()}
          >
            Start it
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
