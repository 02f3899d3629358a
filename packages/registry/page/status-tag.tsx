import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Entry } from './read-entry.ts'

/** Says what is not as usual with a version; nothing for an active one without remarks. */
export function StatusTag({ entry }: { readonly entry: Entry }): ReactElement | null {
  const { status, flags } = entry
  return (
    <>
      {status === 'deprecated' && <Tag tone="warning">deprecated</Tag>}
      {status === 'deleted' && <Tag tone="bad">deleted</Tag>}
      {flags.length > 0 && (
        <Tag tone="warning" icon="alert">
          flagged
        </Tag>
      )}
    </>
  )
}
