import { Button, CloseButton, TextInput } from '@mantine/core'
import { showProblem } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** The folders that servers are told of. */
export function Roots(): ReactElement {
  const roots = useStore((store) => store.roots)
  const folder = useStore((store) => store.folder)
  const [text, setText] = useState('')

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const next = text.trim()
    if (next === '') return
    void setRoots([...roots.filter((root) => root !== next), next]).then((isSet) => {
      if (isSet) setText('')
    })
  }

  return (
    <div className="right-part">
      <p className="quiet">
        Servers are told of these folders. That guides them; it does not confine them.
      </p>
      <ul className="left-list">
        {roots.map((root) => (
          <li key={root} className="left-row">
            <code className="grow wrap">{visible(root)}</code>
            <CloseButton
              aria-label={`Remove ${visible(root)}`}
              onClick={() => void setRoots(roots.filter((one) => one !== root))}
            />
          </li>
        ))}
      </ul>
      {roots.length === 0 && <p className="quiet">None.</p>}
      <form className="stack-tight" onSubmit={onSubmit}>
        <TextInput
          label="Folder"
          placeholder={folder}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <div className="row">
          <Button type="submit" variant="default" size="compact-sm" disabled={text.trim() === ''}>
            Add the folder
          </Button>
          {!roots.some((root) => root === folder) && (
            <Button variant="subtle" size="compact-sm" onClick={() => setText(folder)}>
              The one it was started in
            </Button>
          )}
        </div>
      </form>
    </div>
  )
}

/** Tells every server, and keeps it for the next start. False if that did not work; it is shown why. */
export async function setRoots(roots: readonly string[]): Promise<boolean> {
  try {
    const kept = await channel.ask('roots/set', { roots })
    useStore.setState({ roots: kept.roots })
    return true
  } catch (error) {
    showProblem(error, 'The folders were not changed')
    return false
  }
}
