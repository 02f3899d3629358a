import { ActionIcon, Menu } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { useEffect, useState, type ReactElement, type RefObject } from 'react'

import { tabs, type TabId } from '../tabs.ts'
import { showTab } from '../view.ts'

export interface MoreTabsProps {
  /** The bar whose tabs may not all be in sight. */
  readonly bar: RefObject<HTMLElement | null>
  /** Names of the tabs in the bar; when they change, others may be cut. */
  readonly shown: string
  readonly counts: { readonly [T in TabId]?: number }
}

/** A menu of the tabs that there is no room for; nothing where all of them can be seen. */
export function MoreTabs({ bar, counts, shown }: MoreTabsProps): ReactElement | null {
  const cut = useCutTabs(bar, shown)
  if (cut.size === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon className="more-tabs" aria-label="More tabs">
          <Icon name="chevronDown" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {tabs
          .filter(({ id }) => cut.has(id))
          .map(({ id, label, icon }) => (
            <Menu.Item
              key={id}
              leftSection={<Icon name={icon} />}
              rightSection={
                (counts[id] ?? 0) > 0 && <span className="tab-count">{counts[id]}</span>
              }
              onClick={() => showTab(id)}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Which tabs are not in sight as a whole, also after the bar was scrolled or the window resized. */
function useCutTabs(bar: RefObject<HTMLElement | null>, shown: string): ReadonlySet<string> {
  const [cut, setCut] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const root = bar.current
    if (!root) return undefined
    const observer = new IntersectionObserver(
      (entries) =>
        setCut((current) => {
          const next = new Set(current)
          for (const { target, intersectionRatio } of entries) {
            if (intersectionRatio > 0.9) next.delete(idOf(target))
            else next.add(idOf(target))
          }
          return next
        }),
      { root, threshold: [0.9] },
    )
    for (const tab of root.querySelectorAll('[role=tab]')) observer.observe(tab)
    return () => {
      observer.disconnect()
      setCut(new Set())
    }
  }, [bar, shown])
  return cut
}

function idOf({ id }: Element): string {
  return id.replace(/^tab-/, '')
}
