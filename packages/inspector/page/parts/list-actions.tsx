import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import {
  loadList,
  loadPage,
  setByHand,
  setFollowing,
  useListHabits,
  type ListKind,
  type ListState,
} from '../lists.ts'

export interface ListActionsProps {
  readonly server: string
  readonly kind: ListKind
  readonly list: ListState
  /** Fetched along with it. */
  readonly also?: ListKind
}

/** Beside the search of a list: fetch it again, and how it is fetched. */
export function ListActions({ server, kind, list, also }: ListActionsProps): ReactElement {
  const { isByHand, isFollowing } = useListHabits()
  const isStale = list.isStale === true
  const label = `Fetch the ${kind} again`
  return (
    <>
      {isStale && <Tag tone="warning">changed</Tag>}
      <Tooltip label={`Fetch again (${list.pages} ${list.pages === 1 ? 'page' : 'pages'})`}>
        <ActionIcon
          aria-label={label}
          onClick={() => {
            void loadList(server, kind)
            if (also) void loadList(server, also)
          }}
        >
          <Icon name="refresh" size={15} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon aria-label={`How the ${kind} are fetched`}>
            <Icon name="dots" size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.CheckboxItem
            checked={isByHand}
            onChange={(checked) => setByHand(server, kind, checked)}
          >
            One page at a time
          </Menu.CheckboxItem>
          <Menu.CheckboxItem checked={isFollowing} onChange={setFollowing}>
            Refresh when the server says it changed
          </Menu.CheckboxItem>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** Of a list that is fetched by hand: how far it is, its cursor, and the next page. */
export function ListPaging({ server, kind, list }: ListActionsProps): ReactElement | null {
  const isByHand = useListHabits((habits) => habits.isByHand)
  if (!isByHand) return null
  const { nextCursor } = list
  return (
    <div className="list-paging" role="group" aria-label={`Pages of the ${kind}`}>
      <span>
        {list.pages} {list.pages === 1 ? 'page' : 'pages'}
      </span>
      {nextCursor === undefined ? (
        <span className="quiet">the last one</span>
      ) : (
        <>
          <span className="quiet">next cursor</span>
          <code className="code-inline wrap">
            {nextCursor.length > 60 ? `${nextCursor.slice(0, 60)}…` : nextCursor}
          </code>
          <Button
            size="compact-xs"
            variant="default"
            disabled={list.status === 'loading'}
            onClick={() => void loadPage(server, kind, nextCursor)}
          >
            Next page
          </Button>
        </>
      )}
    </div>
  )
}
