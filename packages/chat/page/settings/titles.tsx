import { Switch } from '@mantine/core'
import { FormRow, FormRows, showProblem } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'

/** Who names new chats. */
export function Titles(): ReactElement {
  const titles = useStore((store) => store.titles)
  async function change(next: 'words' | 'model') {
    useStore.setState({ titles: next })
    try {
      await channel.ask('setup/titles', { titles: next })
    } catch (error) {
      useStore.setState({ titles })
      showProblem(error, 'Not changed')
    }
  }
  return (
    <FormRows>
      <FormRow
        title="Titles by the model"
        about="After its first answer, the model is asked for a short title: one more request for each new chat. Otherwise your first words are the title."
      >
        <Switch
          aria-label="Titles by the model"
          checked={titles === 'model'}
          onChange={(event) => void change(event.currentTarget.checked ? 'model' : 'words')}
        />
      </FormRow>
    </FormRows>
  )
}
