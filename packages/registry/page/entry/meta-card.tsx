import { JsonTree } from '@parley/page/form'
import { showHidden } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Entry } from '../read-entry.ts'
import { Card } from './card.tsx'

/** What publisher and registries say besides, under their own names. */
export function MetaCard({ entry }: { readonly entry: Entry }): ReactElement | null {
  const parts = Object.entries(entry.meta)
  if (parts.length === 0) return null
  return (
    <Card title="More">
      {parts.map(([key, value]) => (
        <div key={key} className="stack-tight">
          <code className="mono wrap">{showHidden(key)}</code>
          <JsonTree value={value} label={showHidden(key)} />
        </div>
      ))}
    </Card>
  )
}
