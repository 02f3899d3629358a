import { Button, Loader, Radio, TextInput } from '@mantine/core'
import { showProblem } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { FoundModel } from '../../src/core/found.ts'
import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

const other = ' other'
const scripted: FoundModel = {
  name: 'scripted',
  where: 'no language model: it follows a script, to try things out',
}

/** A model that runs here, one whose key is there, another by name, or the scripted one. */
export function PickModel(): ReactElement {
  const current = useStore((store) => store.models[0])
  const [found, setFound] = useState<readonly FoundModel[]>()
  const [picked, setPicked] = useState(current ?? scripted.name)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  useEffect(() => {
    channel
      .ask('setup/models', {})
      .then(setFound)
      .catch(() => setFound([]))
  }, [])
  if (found === undefined) return <Loader size={16} aria-label="Looking for models" />
  const offered = [...found, scripted]

  async function use() {
    const model =
      picked === other
        ? { name: name.trim(), ...(url.trim() !== '' && { baseUrl: url.trim() }) }
        : offered.find((one) => one.name === picked)
    if (model === undefined || model.name === '') return
    const { baseUrl } = model
    try {
      const { models } = await channel.ask('setup/use-model', {
        name: model.name,
        ...(baseUrl !== undefined && { baseUrl }),
      })
      useStore.setState({ models })
    } catch (error) {
      showProblem(error, 'This model cannot be used')
    }
  }

  return (
    <div className="stack-tight">
      <Radio.Group value={picked} onChange={setPicked} aria-label="Model">
        {offered.map((model) => (
          <Radio
            key={model.name}
            value={model.name}
            label={visible(model.name)}
            description={model.where}
          />
        ))}
        <Radio value={other} label="Another one" />
      </Radio.Group>
      {picked === other && (
        <div className="row wrap-row end">
          <TextInput
            label="Name"
            placeholder="openai/gpt-5"
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <TextInput
            label="Address, if it is your own"
            placeholder="http://127.0.0.1:11434/v1"
            value={url}
            onChange={({ currentTarget: { value } }) => setUrl(value)}
          />
        </div>
      )}
      <div className="row">
        <Button variant="default" onClick={() => void use()}>
          Use this model
        </Button>
        {current !== undefined && <span className="quiet">Now: {visible(current)}</span>}
      </div>
    </div>
  )
}
