import { Button, Loader, Radio, TextInput } from '@mantine/core'
import { showProblem } from '@parley/page/parts'
import { useEffect, useState, type FormEvent, type ReactElement } from 'react'

import type { FoundModel } from '../../src/core/found.ts'
import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

const other = ' other'
const scripted: FoundModel = {
  name: 'scripted',
  where: 'no language model: it follows a script and calls the tool you name, to try things out',
}

/** A model that runs here, one of a provider, another by name, or the scripted one. What is picked is used at once. */
export function PickModel({
  current,
  onPicked,
}: {
  readonly current: string | undefined
  readonly onPicked?: ((name: string) => void) | undefined
}): ReactElement {
  const [found, setFound] = useState<readonly FoundModel[]>()
  const [isOther, setIsOther] = useState(false)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  useEffect(() => {
    channel
      .ask('setup/models', {})
      .then(setFound)
      .catch(() => setFound([]))
  }, [])
  if (found === undefined) return <Loader size={16} role="status" aria-label="Looking for models" />
  const listed = [...found, scripted]
  const offered =
    current === undefined || listed.some((candidate) => candidate.name === current)
      ? listed
      : [{ name: current, where: 'in use now' }, ...listed]

  async function use({ name: chosen, baseUrl }: Omit<FoundModel, 'where'>) {
    try {
      const { models } = await channel.ask('setup/use-model', {
        name: chosen,
        ...(baseUrl !== undefined && { baseUrl }),
      })
      useStore.setState({ models })
      onPicked?.(chosen)
    } catch (error) {
      showProblem(error, 'This model cannot be used')
    }
  }

  function pick(value: string) {
    setIsOther(value === other)
    const model = offered.find((candidate) => candidate.name === value)
    if (model !== undefined && model.name !== current) void use(model)
  }

  function useOther(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return
    setIsOther(false)
    void use({ name: name.trim(), ...(url.trim() !== '' && { baseUrl: url.trim() }) })
  }

  return (
    <div className="stack-tight">
      <Radio.Group
        value={isOther ? other : (current ?? scripted.name)}
        onChange={pick}
        aria-label="Model"
      >
        <div className="radios">
          {offered.map((model) => (
            <Radio
              key={model.name}
              value={model.name}
              label={visible(model.name)}
              description={model.where}
            />
          ))}
          <Radio value={other} label="Another one" description="by its name and address" />
        </div>
      </Radio.Group>
      {isOther && (
        <form className="row wrap-row end" onSubmit={useOther}>
          <TextInput
            label="Name"
            placeholder="openai/gpt-5"
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <TextInput
            className="grow"
            label="Address, unless it is OpenAI or Anthropic"
            placeholder="http://127.0.0.1:11434/v1"
            value={url}
            onChange={({ currentTarget: { value } }) => setUrl(value)}
          />
          <Button type="submit" variant="default" disabled={name.trim() === ''}>
            Use this model
          </Button>
        </form>
      )}
    </div>
  )
}
