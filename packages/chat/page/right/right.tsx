import { Tabs } from '@mantine/core'
import type { ReactElement } from 'react'

import { Activity } from './activity.tsx'
import { ContextView } from './context-view.tsx'
import { Permissions } from './permissions.tsx'
import { Roots } from './roots.tsx'

/** What the conversation takes, what happened when, and which folders servers are told of, what was allowed. */
export function Right(): ReactElement {
  return (
    <aside className="chat-right" aria-label="Context and activity">
      <Tabs defaultValue="context" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="context">Context</Tabs.Tab>
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
          <Tabs.Tab value="roots">Folders</Tabs.Tab>
          <Tabs.Tab value="permissions">Permissions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="context">
          <ContextView />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <Activity />
        </Tabs.Panel>
        <Tabs.Panel value="roots">
          <Roots />
        </Tabs.Panel>
        <Tabs.Panel value="permissions">
          <Permissions />
        </Tabs.Panel>
      </Tabs>
    </aside>
  )
}
