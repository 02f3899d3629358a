import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactElement } from 'react'

import { setRoots } from '../right/roots.tsx'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** The folder that servers are told of. */
export function PickFolder(): ReactElement {
  const roots = useStore((store) => store.roots)
  const folder = useStore((store) => store.folder)
  const [text, setText] = useState(folder)
  const [chosen] = roots
  return (
    <form
      className="row wrap-row end pick-folder"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void setRoots([text.trim()])
      }}
    >
      <TextInput
        label="Folder"
        className="grow"
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''}>
        Use this folder
      </Button>
      {chosen !== undefined && <span className="quiet wrap">In use: {visible(chosen)}</span>}
    </form>
  )
}
