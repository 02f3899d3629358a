import { Button } from '@mantine/core'
import { showHidden, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { AddressLink } from '../address-link.tsx'
import { Day } from '../day.tsx'
import type { Entry } from '../read-entry.ts'
import { StatusTag } from '../status-tag.tsx'
import { Card } from './card.tsx'

const few = 12

export interface VersionsCardProps {
  readonly entries: readonly Entry[]
  readonly shown: Entry | undefined
}

/** All versions, the newest first. */
export function VersionsCard({ entries, shown }: VersionsCardProps): ReactElement {
  const [isWhole, setIsWhole] = useState(false)
  const listed = isWhole ? entries : entries.slice(0, few)
  return (
    <Card title="Versions">
      <ol className="versions">
        {listed.map((entry) => (
          <li key={entry.version}>
            <AddressLink
              to={{ version: entry.version, compare: undefined }}
              isCurrent={entry === shown}
            >
              {showHidden(entry.version)}
            </AddressLink>
            {entry.isLatest && <Tag tone="good">latest</Tag>}
            <StatusTag entry={entry} />
            <span className="grow" />
            {entry.publishedAt !== undefined && (
              <span className="quiet">
                <Day at={entry.publishedAt} />
              </span>
            )}
          </li>
        ))}
      </ol>
      {listed.length < entries.length && (
        <Button
          variant="subtle"
          size="compact-sm"
          className="self-start"
          onClick={() => setIsWhole(true)}
        >
          Show all {entries.length} versions
        </Button>
      )}
    </Card>
  )
}
