import { Select } from '@mantine/core'
import { DiffView } from '@parley/page/content'
import { showHidden } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import type { Entry } from '../read-entry.ts'
import { Card } from './card.tsx'

export interface DifferencesCardProps {
  readonly entry: Entry
  /** All versions, the newest first. */
  readonly entries: readonly Entry[]
}

/** What changed in the document since another version; the one before, unless another is picked. */
export function DifferencesCard({ entry, entries }: DifferencesCardProps): ReactElement {
  const picked = useAddress((address) => address.compare)
  const others = entries.filter((candidate) => candidate !== entry)
  const other = others.find(({ version }) => version === picked) ?? before(entry, entries)
  const isSame = other !== undefined && textOf(other) === textOf(entry)
  return (
    <Card
      title="Differences"
      action={
        <Select
          size="xs"
          aria-label="Compare with"
          value={other?.version ?? null}
          allowDeselect={false}
          data={others.map(({ version }) => ({ value: version, label: showHidden(version) }))}
          onChange={(compare) => compare !== null && go({ compare }, 'replace')}
        />
      }
    >
      {other === undefined || isSame ? (
        <p className="quiet">The documents are the same.</p>
      ) : (
        <>
          <p className="quiet">
            From {showHidden(other.version)} to {showHidden(entry.version)}
          </p>
          <DiffView before={textOf(other)} after={textOf(entry)} />
        </>
      )}
    </Card>
  )
}

/** The version published before, or the next one where there is none. */
function before(entry: Entry, entries: readonly Entry[]): Entry | undefined {
  const at = entries.indexOf(entry)
  return entries[at + 1] ?? entries[at - 1]
}

function textOf({ document }: Entry): string {
  return showHidden(JSON.stringify(document, undefined, 2))
}
