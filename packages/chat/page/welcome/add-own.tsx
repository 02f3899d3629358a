import { Button, TextInput } from '@mantine/core'
import { splitCommandLine, unclosedQuote } from '@parley/page/form'
import { Note, problemOf } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import type { CustomEntry } from '../../src/core/found.ts'
import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** A server of one's own, by its address or its command. A command is shown word by word before it runs. */
export function AddCustom({ onAdded }: { readonly onAdded: () => void }): ReactElement | null {
  const canAddCustom = useStore((store) => store.canAddCustom)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [isReviewed, setIsReviewed] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!canAddCustom) return null
  const entry = entryOf(text)
  const isCommand = entry !== undefined && 'command' in entry
  const quote = unclosedQuote(text)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setProblem(undefined)
    if (entry === undefined || name.trim() === '' || quote !== undefined) return
    if (isCommand && !isReviewed) return setIsReviewed(true)
    try {
      await channel.ask('setup/add-own', { name: name.trim(), entry })
      setName('')
      setText('')
      setIsReviewed(false)
      onAdded()
    } catch (error) {
      setProblem(problemOf(error).message)
    }
  }

  return (
    <details className="add-own">
      <summary>Add a server by its address or command</summary>
      <form className="stack-tight" onSubmit={(event) => void submit(event)}>
        <TextInput
          label="Address or command"
          placeholder="https://example.com/mcp"
          classNames={{ input: 'mono' }}
          value={text}
          error={quote !== undefined && `A quote is not closed: add another ${quote}`}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            setIsReviewed(false)
          }}
        />
        <TextInput
          label="Name"
          placeholder="notes"
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        {isReviewed && isCommand && (
          <Note
            tone="warning"
            title="This program runs with your rights. Add it only if you trust it."
          >
            <ol className="argv">
              {[entry.command, ...entry.args].map((word, at) => (
                // Words have no identity but their place.
                <li key={at}>
                  <code className="code-inline wrap">{visible(word)}</code>
                </li>
              ))}
            </ol>
          </Note>
        )}
        {problem !== undefined && <Note tone="bad">{visible(problem)}</Note>}
        <Button
          className="self-start"
          type="submit"
          variant="default"
          size="compact-sm"
          disabled={entry === undefined || name.trim() === '' || quote !== undefined}
        >
          {!isCommand ? 'Add it' : isReviewed ? 'Run and add it' : 'Look at the command'}
        </Button>
      </form>
    </details>
  )
}

function entryOf(text: string): CustomEntry | undefined {
  if (/^(https?|wss?):\/\/\S+$/i.test(text.trim())) return { url: text.trim() }
  const [command, ...args] = splitCommandLine(text)
  return command === undefined ? undefined : { command, args }
}
