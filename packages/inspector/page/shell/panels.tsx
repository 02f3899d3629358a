import { createLoadable, type Loadable, Loaded } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { tabs, type TabId } from '../tabs.ts'

type Panel = (props: { readonly server: ServerView }) => ReactElement

/** Each tab is a part of its own, in the order people open them. */
const panels: { readonly [T in TabId]: Loadable<Panel> } = {
  overview: createLoadable(
    async () => (await import('../overview/overview-panel.tsx')).OverviewPanel,
  ),
  tools: createLoadable(async () => (await import('../tools/tools-panel.tsx')).ToolsPanel),
  resources: createLoadable(
    async () => (await import('../resources/resources-panel.tsx')).ResourcesPanel,
  ),
  prompts: createLoadable(async () => (await import('../prompts/prompts-panel.tsx')).PromptsPanel),
  skills: createLoadable(async () => (await import('../skills/skills-panel.tsx')).SkillsPanel),
  requests: createLoadable(
    async () => (await import('../requests/requests-panel.tsx')).RequestsPanel,
  ),
  tasks: createLoadable(async () => (await import('../tasks/tasks-panel.tsx')).TasksPanel),
  logs: createLoadable(async () => (await import('../logs/logs-panel.tsx')).LogsPanel),
  auth: createLoadable(async () => (await import('../auth/auth-panel.tsx')).AuthPanel),
  bench: createLoadable(async () => (await import('../bench/bench-panel.tsx')).BenchPanel),
  collections: createLoadable(
    async () => (await import('../collections/collections-panel.tsx')).CollectionsPanel,
  ),
}

/** Begins to fetch a tab before anybody can see it: meanwhile the page is let in. */
export function loadTab(tab: TabId): void {
  panels[tab].load().catch(() => undefined) // who shows it tells
}

export interface TabPanelProps {
  readonly tab: TabId
  readonly server: ServerView
}

/** What is behind a tab. */
export function TabPanel({ tab, server }: TabPanelProps): ReactElement {
  const name = tabs.find(({ id }) => id === tab)?.label ?? tab
  return (
    <Loaded key={tab} part={panels[tab]} name={name}>
      {(Shown) => <Shown server={server} />}
    </Loaded>
  )
}
