import { CloseButton, Tabs } from '@mantine/core'
import type { ReactElement } from 'react'

import { Activity } from './activity.tsx'
import { toggleContext } from './context-open.ts'
import { ContextView } from './context-view.tsx'

/** How much of the model's window the chat takes, and when its calls happened. */
export function Right(): ReactElement {
  return (
    <aside className="chat-right" aria-label="Context and activity" data-pane tabIndex={-1}>
      <CloseButton
        className="chat-right-close"
        aria-label="Close context and activity"
        onClick={toggleContext}
      />
      <Tabs defaultValue="context" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="context">Context</Tabs.Tab>
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="context">
          <ContextView />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <Activity />
        </Tabs.Panel>
      </Tabs>
    </aside>
  )
}
