import { CappedText, SafeLink, showHidden, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { EntryInput, EntryTarget } from '../read-entry.ts'
import { Card } from './card.tsx'

export interface TargetsCardProps {
  readonly title: 'Packages' | 'Remotes'
  readonly targets: readonly EntryTarget[]
}

/** What there is to install or to reach, with everything it has to be told. */
export function TargetsCard({ title, targets }: TargetsCardProps): ReactElement | null {
  if (targets.length === 0) return null
  return (
    <Card title={title}>
      {targets.map((target, index) => (
        // A document may name the same one twice.
        <Target key={index} target={target} isRemote={title === 'Remotes'} />
      ))}
    </Card>
  )
}

function Target(props: { readonly target: EntryTarget; readonly isRemote: boolean }): ReactElement {
  const { kind, title, version, transport, runtime, hash, inputs } = props.target
  return (
    <div className="target">
      <div className="row wrap-row">
        <Tag>{showHidden(kind)}</Tag>
        {props.isRemote ? (
          <SafeLink url={title} />
        ) : (
          <code className="mono wrap">
            {showHidden(title)}
            {version !== undefined && `@${showHidden(version)}`}
          </code>
        )}
        {!props.isRemote && transport !== '' && <Tag>{showHidden(transport)}</Tag>}
        {runtime !== undefined && <Tag icon="terminal">{showHidden(runtime)}</Tag>}
      </div>
      {hash !== undefined && (
        <div className="quiet wrap">
          SHA-256 <code className="mono">{showHidden(hash)}</code>
        </div>
      )}
      {inputs.length > 0 && (
        <ul className="inputs">
          {inputs.map((input, index) => (
            <Input key={index} input={input} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Input({ input }: { readonly input: EntryInput }): ReactElement {
  const { name, description, value, isRequired, isSecret } = input
  return (
    <li>
      <div className="row wrap-row">
        <code className="mono wrap">{showHidden(name)}</code>
        {isRequired && <Tag>required</Tag>}
        {isSecret && (
          <Tag tone="warning" icon="key">
            secret
          </Tag>
        )}
        {value !== undefined && value !== name && (
          <span className="quiet wrap">{showHidden(value)}</span>
        )}
      </div>
      {description !== undefined && (
        <CappedText text={showHidden(description)} limit={400} className="prose" />
      )}
    </li>
  )
}
