import { CloseButton } from '@mantine/core'
import type { AttachedResource } from '@parley/host'
import { Note } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { ChangedResource } from '../right/attached.tsx'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { useDraft } from './draft.ts'

/** Says above the field that something the model has read is not the same any more. A turn that runs has the room. */
export function ChangedNote(): ReactElement | null {
  const attached = useStore((store) => store.attached)
  const isBusy = useStore(({ busy, shown }) => shown !== undefined && busy.includes(shown.id))
  /** When the newest change was seen that somebody put away. */
  const [seenAt, setSeenAt] = useState(0)
  const resources = useDraft((draft) => draft.resources)
  const goesAlong = ({ server, uri }: AttachedResource) =>
    resources.some((resource) => resource.server === server && resource.uri === uri)
  const changed = attached.filter(
    (candidate) =>
      candidate.change !== undefined && candidate.change.at > seenAt && !goesAlong(candidate),
  )
  if (changed.length === 0 || isBusy) return null
  return (
    <div className="changed-note">
      {changed.map((item) => (
        <Note
          key={`${item.server} ${item.uri}`}
          tone="warning"
          title={`${visible(item.uri)} has changed since the model read it`}
        >
          <ChangedResource resource={item} />
        </Note>
      ))}
      <CloseButton
        size="sm"
        aria-label="Put the changes away"
        onClick={() => setSeenAt(Math.max(...changed.map(({ change }) => change?.at ?? 0)))}
      />
    </div>
  )
}
