import { SafeLink, showHidden, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Entry, EntryTarget } from '../read-entry.ts'
import { Card } from './card.tsx'

/** What there is to install or to reach. What it asks for stands where it is installed. */
export function TargetsCard({ entry }: { readonly entry: Entry }): ReactElement | null {
  const { packages, remotes } = entry
  if (packages.length + remotes.length === 0) return null
  return (
    <Card title="Packages and remotes">
      {packages.map((target, index) => (
        // A document may name the same one twice.
        <Target key={index} target={target} isRemote={false} />
      ))}
      {remotes.map((target, index) => (
        <Target key={index} target={target} isRemote />
      ))}
    </Card>
  )
}

function Target(props: { readonly target: EntryTarget; readonly isRemote: boolean }): ReactElement {
  const { kind, title, version, transport, runtime, hash } = props.target
  return (
    <div className="target">
      {props.isRemote ? (
        <SafeLink url={title} />
      ) : (
        <code className="mono wrap">
          {showHidden(title)}
          {version !== undefined && `@${showHidden(version)}`}
        </code>
      )}
      <div className="row wrap-row">
        <Tag>{showHidden(kind)}</Tag>
        {!props.isRemote && transport !== '' && <Tag>{showHidden(transport)}</Tag>}
        {runtime !== undefined && <Tag icon="terminal">{showHidden(runtime)}</Tag>}
      </div>
      {hash !== undefined && (
        <div className="quiet wrap">
          SHA-256 <code className="mono">{showHidden(hash)}</code>
        </div>
      )}
    </div>
  )
}
