import { Button } from '@mantine/core'
import { CappedText, CopyText, showHidden, Tag, type Tone } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { useAsked } from '../ask.ts'
import { Day } from '../day.tsx'
import type { Entry } from '../read-entry.ts'
import { Card } from './card.tsx'
import { readTrust } from './read-trust.ts'

const few = 12

/** The tools that somebody saw who started this version, and how they differ from the version before; nothing if nobody did. */
export function ToolsCard({ entry }: { readonly entry: Entry }): ReactElement | null {
  const query = new URLSearchParams({ name: entry.name, version: entry.version })
  const { value } = useAsked(`x/trust?${query.toString()}`, readTrust)
  const [isWhole, setIsWhole] = useState(false)
  if (value === undefined || value.tools.length + value.removed.length === 0) return null
  const listed = isWhole ? value.tools : value.tools.slice(0, few)
  const changes: readonly (readonly [names: readonly string[], tone: Tone, word: string])[] = [
    [value.added, 'good', 'new'],
    [value.changed, 'warning', 'changed'],
  ]
  return (
    <Card title={value.tools.length === 1 ? '1 tool' : `${value.tools.length} tools`}>
      <ul className="versions entry-tools">
        {listed.map(({ name, about }) => (
          <li key={name}>
            <code className="mono wrap">{showHidden(name)}</code>
            {changes.map(
              ([names, tone, word]) =>
                names.includes(name) && (
                  <Tag key={word} tone={tone}>
                    {word}
                  </Tag>
                ),
            )}
            {about !== undefined && (
              <CappedText text={showHidden(about)} limit={200} className="tool-about quiet" />
            )}
          </li>
        ))}
        {value.removed.map((name) => (
          <li key={name}>
            <code className="mono wrap">{showHidden(name)}</code>
            <Tag tone="bad">removed</Tag>
          </li>
        ))}
      </ul>
      {listed.length < value.tools.length && (
        <Button
          variant="subtle"
          size="compact-sm"
          className="self-start"
          onClick={() => setIsWhole(true)}
        >
          Show all {value.tools.length} tools
        </Button>
      )}
      <p className="quiet wrap">
        Seen in version {showHidden(entry.version)} by {showHidden(value.author)}
        {value.at !== undefined && (
          <>
            , <Day at={value.at} />
          </>
        )}
        {value.since !== undefined && `, compared with ${showHidden(value.since)}`}
      </p>
      <div className="row">
        <code className="mono quiet cut">{value.hash}</code>
        <CopyText text={value.hash} label="Copy the hash" />
      </div>
    </Card>
  )
}
