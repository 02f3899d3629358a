import { Button } from '@mantine/core'
import { downloadText, FormRow, FormRows, showProblem } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'

/** All chats at once: as a file, or gone. */
export function Data(): ReactElement {
  const count = useStore((store) => store.conversations.length)
  const [isSure, setIsSure] = useState(false)
  const [isBusy, setIsBusy] = useState(false)

  async function save(format: 'markdown' | 'json') {
    setIsBusy(true)
    try {
      const { name, text } = await channel.ask('conversations/export-all', { format })
      downloadText(name, text, format === 'json' ? 'application/json' : 'text/markdown')
    } catch (error) {
      showProblem(error, 'Not exported')
    }
    setIsBusy(false)
  }

  async function removeAll() {
    setIsSure(false)
    await channel
      .ask('conversations/remove-all', {})
      .catch((error: unknown) => showProblem(error, 'Not deleted'))
  }

  return (
    <FormRows>
      <FormRow title="Export all chats" about="One file with every chat.">
        <Button
          variant="default"
          size="xs"
          disabled={count === 0}
          loading={isBusy}
          onClick={() => void save('markdown')}
        >
          Export as Markdown
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={count === 0}
          loading={isBusy}
          onClick={() => void save('json')}
        >
          Export as JSON
        </Button>
      </FormRow>
      <FormRow
        title="Delete all chats"
        about={
          isSure
            ? 'This cannot be undone. Permissions, servers and keys stay.'
            : 'Permissions, servers and keys stay.'
        }
      >
        {isSure && (
          <Button variant="default" size="xs" onClick={() => setIsSure(false)}>
            Keep them
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          className="danger"
          disabled={count === 0}
          onClick={() => (isSure ? void removeAll() : setIsSure(true))}
        >
          {isSure ? 'Delete every chat' : 'Delete all chats'}
        </Button>
      </FormRow>
    </FormRows>
  )
}
