import { Button, CloseButton, TextInput } from '@mantine/core'
import { Tag, showProblem } from '@parley/page/parts'
import { useEffect, useState, type FormEvent, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** The folders that servers are told of. */
export function Roots(): ReactElement {
  const roots = useStore((store) => store.roots)
  const folder = useStore((store) => store.folder)
  const [text, setText] = useState('')
  const problems = useFolderProblems(roots)

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const next = text.trim()
    if (next === '') return
    void setRoots([...roots.filter((root) => root !== next), next]).then((isSet) => {
      if (isSet) setText('')
    })
  }

  return (
    <div className="stack">
      <ul className="left-list">
        {roots.map((root) => (
          <li key={root} className="left-row">
            <div className="grow wrap">
              <code>{visible(root)}</code>
              {problems[root] !== undefined && (
                <div>
                  <Tag tone="warning" icon="alert">
                    {visible(problems[root])}
                  </Tag>
                </div>
              )}
            </div>
            <CloseButton
              aria-label={`Remove ${visible(root)}`}
              onClick={() => void setRoots(roots.filter((candidate) => candidate !== root))}
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

const checkEveryMs = 5_000

/** What is wrong with folders, looked at again while they are shown. */
function useFolderProblems(roots: readonly string[]): { readonly [root: string]: string } {
  const [problems, setProblems] = useState<{ readonly [root: string]: string }>({})
  useEffect(() => {
    let isShown = true
    const check = () =>
      channel.ask('roots/check', {}).then(
        (found) => {
          if (isShown) setProblems(found)
        },
        () => undefined, // the page shows by itself that the service is gone
      )
    void check()
    const timer = setInterval(() => void check(), checkEveryMs)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [roots])
  return problems
}

/** Tells every server, and keeps it for the next start. False if that did not work; it is shown why. */
export async function setRoots(roots: readonly string[]): Promise<boolean> {
  try {
    const saved = await channel.ask('roots/set', { roots })
    useStore.setState({ roots: saved.roots })
    return true
  } catch (error) {
    showProblem(error, 'The folders were not changed')
    return false
  }
}
