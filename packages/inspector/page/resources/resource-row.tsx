import { Icon } from '@parley/page/icons'
import { Tag } from '@parley/page/parts'
import { PeerIcon } from '@parley/page/peer-icons'
import type { ReactElement } from 'react'

import type { ResourceItem } from './resource-item.ts'
import { subscriptionKey, useSubscriptions } from './subscriptions.ts'

/** A resource, template or folder in the list. */
export function ResourceRow({
  row,
  server,
}: {
  readonly row: ResourceItem
  readonly server: string
}): ReactElement {
  const subscription = useSubscriptions((all) => all[subscriptionKey(server, row.id)])
  const isTree = row.kind === 'folder' || row.depth > 0
  const icon =
    row.kind === 'folder'
      ? row.isClosed === true
        ? 'chevronRight'
        : 'chevronDown'
      : row.kind === 'template'
        ? 'code'
        : 'file'
  return (
    <>
      <span className="pick-row-title" style={{ paddingLeft: row.depth * 16 }}>
        <Icon name={icon} size={14} />
        <PeerIcon server={server} icons={row.icons} size={16} />
        <span className="grow cut">{row.name}</span>
        {subscription && (
          <Tag tone="accent" icon="bell">
            {subscription.updates}
          </Tag>
        )}
        {row.kind === 'template' && <Tag>template</Tag>}
        {row.kind === 'resource' && row.mimeType !== undefined && <Tag>{row.mimeType}</Tag>}
      </span>
      {!isTree && <span className="pick-row-text cut mono">{row.id}</span>}
    </>
  )
}
