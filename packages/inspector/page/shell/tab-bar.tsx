import { Icon } from '@parley/page/icons'
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { hasSkills, useList } from '../lists.ts'
import { useStore } from '../store.ts'
import { tabs, type TabId } from '../tabs.ts'
import { showTab } from '../view.ts'
import { MoreTabs } from './more-tabs.tsx'

/** The tabs of a server, with how much is behind each. */
export function TabBar({
  server,
  tab,
}: {
  readonly server: ServerView
  readonly tab: TabId
}): ReactElement {
  const counts = useCounts(server)
  // Few servers have skills, and room is scarce.
  const shown = tabs.filter(({ id }) => id !== 'skills' || id === tab || hasSkills(server))
  const bar = useRef<HTMLDivElement>(null)

  useEffect(() => {
    bar.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [tab])

  function onKeyDown(event: KeyboardEvent) {
    const at = shown.findIndex(({ id }) => id === tab)
    const next = {
      ArrowRight: shown[(at + 1) % shown.length],
      ArrowLeft: shown[(at + shown.length - 1) % shown.length],
      Home: shown[0],
      End: shown.at(-1),
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    showTab(next.id)
    bar.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }

  return (
    <div className="tab-frame">
      <div
        className="tab-bar"
        role="tablist"
        aria-label={`Parts of ${server.name}`}
        ref={bar}
        onKeyDown={onKeyDown}
      >
        {shown.map(({ id, label, icon }) => {
          const count = counts[id]
          return (
            <button
              key={id}
              type="button"
              role="tab"
              id={`tab-${id}`}
              className="tab"
              aria-selected={id === tab}
              {...(id === tab && { 'aria-controls': `panel-${id}` })}
              tabIndex={id === tab ? 0 : -1}
              onClick={() => showTab(id)}
            >
              <Icon name={icon} size={15} />
              {label}
              {count !== undefined && count > 0 && (
                <span className="tab-count" data-urgent={id === 'requests'}>
                  {count}
                </span>
              )}
            </button>
          )
        })}
      </div>
      <MoreTabs bar={bar} counts={counts} shown={shown.map(({ id }) => id).join(' ')} />
    </div>
  )
}

function useCounts(server: ServerView): Partial<Record<TabId, number>> {
  const tools = useList(server, 'tools').items.length
  const resources = useList(server, 'resources').items.length
  const prompts = useList(server, 'prompts').items.length
  const requests = useStore(
    (store) => store.questions.filter(({ state }) => state === 'open').length,
  )
  const tasks = useStore(
    (store) =>
      store.tasks.filter((task) => task.server === server.name && isRunning(task.status)).length,
  )
  return { tools, resources, prompts, requests, tasks }
}

function isRunning(status: string): boolean {
  return status === 'working' || status === 'input_required' || status === 'submitted'
}
