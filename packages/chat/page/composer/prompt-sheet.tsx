import { Button, Textarea } from '@mantine/core'
import type { ModelMessage } from '@parley/host/models'
import { CappedText, Note, problemOf, type CompletionReference } from '@parley/page/parts'
import { useState, type KeyboardEvent, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { visible } from '../visible.ts'
import { CompletedField } from './completed-field.tsx'
import { changeDraft, useDraft } from './draft.ts'
import type { Suggestion } from './suggestions.ts'

/** A prompt: its arguments, then its messages to read and change, and only then does it join what is said. */
export function PromptSheet({
  suggestion,
  onClose,
}: {
  readonly suggestion: Extract<Suggestion, { kind: 'prompt' }>
  readonly onClose: () => void
}): ReactElement {
  const { server, prompt, label } = suggestion
  const [values, setValues] = useState<{ readonly [name: string]: string }>({})
  const [messages, setMessages] = useState<readonly ModelMessage[]>()
  const [problem, setProblem] = useState<string>()
  const reference: CompletionReference = { type: 'ref/prompt', name: prompt.name }
  const missing = (prompt.arguments ?? []).filter(
    ({ name, required }) => required === true && (values[name] ?? '') === '',
  )

  async function resolve() {
    setProblem(undefined)
    try {
      const entries = Object.entries(values).filter(([, value]) => value !== '')
      const found = await channel.ask('prompts/get', {
        server,
        name: prompt.name,
        arguments: Object.fromEntries(entries),
      })
      setMessages(found.messages)
    } catch (error) {
      setProblem(problemOf(error).message)
    }
  }

  function add() {
    if (messages === undefined) return
    changeDraft({ prompts: [...useDraft.getState().prompts, { name: label, messages }] })
    onClose()
  }

  return (
    <section
      className="sheet composer-sheet"
      aria-label={`Prompt ${visible(label)}`}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <h2 className="sheet-title">{visible(prompt.title ?? label)}</h2>
      {prompt.description !== undefined && (
        <CappedText text={visible(prompt.description)} className="quiet" />
      )}
      {messages === undefined ? (
        <div className="sheet-body">
          {(prompt.arguments ?? []).map(({ name, description, required }) => (
            <CompletedField
              key={name}
              server={server}
              reference={reference}
              name={name}
              label={visible(name)}
              description={description === undefined ? undefined : visible(description)}
              required={required}
              values={values}
              onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
            />
          ))}
          {problem !== undefined && (
            <Note tone="bad" title="The server did not give the prompt">
              <span className="wrap">{visible(problem)}</span>
            </Note>
          )}
        </div>
      ) : (
        <div className="sheet-body">
          <p className="quiet">This goes to the model. Change it if you like.</p>
          {messages.map((message, at) => (
            <PromptMessage
              // Messages have no identity but their place.
              key={at}
              message={message}
              onChange={(next) =>
                setMessages(messages.map((item, index) => (index === at ? next : item)))
              }
            />
          ))}
        </div>
      )}
      <div className="sheet-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {messages === undefined ? (
          <Button disabled={missing.length > 0} onClick={() => void resolve()}>
            Show its messages
          </Button>
        ) : (
          <Button onClick={add}>Add to the message</Button>
        )}
      </div>
    </section>
  )
}

function PromptMessage({
  message,
  onChange,
}: {
  readonly message: ModelMessage
  readonly onChange: (message: ModelMessage) => void
}): ReactElement {
  if (message.role === 'user') {
    return (
      <>
        {message.content.map((part, at) =>
          part.type === 'text' ? (
            <Textarea
              key={at}
              label="You"
              autosize
              maxRows={10}
              value={part.text}
              onChange={(event) => {
                const text = event.currentTarget.value
                const content = message.content.map((item, index) =>
                  index === at ? ({ type: 'text', text } as const) : item,
                )
                onChange({ ...message, content })
              }}
            />
          ) : (
            <p key={at} className="quiet">
              A {part.type} goes along.
            </p>
          ),
        )}
      </>
    )
  }
  const text = message.role === 'assistant' || message.role === 'system' ? message.text : ''
  return <CappedText text={visible(text)} />
}
