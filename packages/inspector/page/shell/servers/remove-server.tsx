import { Button, Group, Modal } from '@mantine/core'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { closeDialog } from '../../view.ts'
import { remove } from './server-actions.ts'

/** Asks before a server goes. */
export function RemoveServer({ server }: { readonly server: ServerView }): ReactElement {
  const { name, source } = server
  return (
    <Modal opened onClose={closeDialog} title={`Remove ${name}?`}>
      <div className="stack">
        <p>
          The connection is closed and the server leaves the list.
          {source !== undefined &&
            ` ${source} is not changed: the server is listed again at the next start.`}
        </p>
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog}>
            Keep it
          </Button>
          <Button
            color="red"
            onClick={() => {
              closeDialog()
              void remove(name)
            }}
          >
            Remove
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
