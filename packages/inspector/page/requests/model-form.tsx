import { Button, PasswordInput, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Note, showProblem } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'

/** Which model answers sampling requests. Its key is kept by the service and never comes back here. */
export function ModelForm(): ReactElement {
  const existing = useStore((store) => store.model)
  const [url, setUrl] = useState(existing?.url ?? '')
  const [model, setModel] = useState(existing?.model ?? '')
  const [key, setKey] = useState('')

  async function save(event: FormEvent) {
    event.preventDefault()
    try {
      const saved = await openChannel().ask('model/save', {
        url: url.trim(),
        model: model.trim(),
        ...(key !== '' && { key }),
      })
      useStore.setState({ model: saved })
      setKey('')
      notifications.show({ message: `Sampling can now be answered by ${saved.model}.` })
    } catch (error) {
      showProblem(error, 'The model was not saved')
    }
  }

  return (
    <div className="panel-scroll">
      <form className="card narrow-card" onSubmit={(event) => void save(event)}>
        <div className="card-head">
          <h2>Model endpoint</h2>
        </div>
        <div className="card-body stack">
          <Note tone="info">
            Any chat-completions endpoint, local or remote. Messages of a server are sent there only
            when you press “Ask”, or when one of your rules says so.
          </Note>
          <TextInput
            label="Address"
            placeholder="http://127.0.0.1:11434/v1"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            classNames={{ input: 'mono' }}
            required
          />
          <TextInput
            label="Model"
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
            required
          />
          <PasswordInput
            label="Key"
            description={
              existing?.hasKey === true
                ? 'A key is stored; leave this empty to keep it.'
                : 'Stored in the secret store.'
            }
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button
            type="submit"
            className="self-start"
            disabled={!/^https?:\/\//.test(url) || model.trim() === ''}
          >
            Save
          </Button>
        </div>
      </form>
    </div>
  )
}
