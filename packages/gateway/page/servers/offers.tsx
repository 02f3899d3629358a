import { SegmentedControl, TextInput } from '@mantine/core'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { Empty, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { OfferedView, ServerView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { PlainText } from '../parts/plain-text.tsx'

export interface OffersProps {
  readonly name: string
  readonly counts: ServerView['counts']
}

const kinds = [
  { value: 'tool', label: 'Tools' },
  { value: 'prompt', label: 'Prompts' },
  { value: 'resource', label: 'Resources' },
  { value: 'resourceTemplate', label: 'Templates' },
] as const

const maxShown = 200

/** What a server offers, as it defines it. */
export function Offers({ name, counts }: OffersProps): ReactElement {
  const [kind, setKind] = useState<OfferedView['kind']>('tool')
  const [filter, setFilter] = useState('')
  const asked = useAsked(
    () => openChannel().ask('servers/offers', { name }),
    [name, counts.tools, counts.prompts, counts.resources, counts.resourceTemplates],
  )
  return (
    <section className="card" aria-label="What it offers">
      <div className="card-head wrap-row">
        <h3>Offers</h3>
        <SegmentedControl aria-label="Kind" value={kind} onChange={setKind} data={[...kinds]} />
        <TextInput
          aria-label="Search what it offers"
          placeholder="Search"
          data-search
          value={filter}
          leftSection={<Icon name="search" size={14} />}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <Answer asked={asked} name="What it offers">
        {(offers) => {
          const wanted = filter.toLowerCase()
          const all = offers.filter(
            (each) =>
              each.kind === kind &&
              (each.name.toLowerCase().includes(wanted) ||
                each.exposedName.toLowerCase().includes(wanted)),
          )
          if (all.length === 0) return <Empty icon="search" title="Nothing of this kind" />
          return (
            <ul className="plain-list">
              {all.slice(0, maxShown).map((offer) => (
                <Offer key={offer.name} offer={offer} />
              ))}
              {all.length > maxShown && (
                <li className="quiet pad">{all.length - maxShown} more: search for them.</li>
              )}
            </ul>
          )
        }}
      </Answer>
    </section>
  )
}

function Offer({ offer }: { readonly offer: OfferedView }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const { name, exposedName, definition, warnings } = offer
  const { description } = definition
  return (
    <li className="offer">
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <strong>
            <PlainText text={exposedName} most={200} />
          </strong>
          {name !== exposedName && (
            <span className="quiet">
              {' '}
              at the server: <PlainText text={name} most={200} />
            </span>
          )}
          {warnings.length > 0 && (
            <Tag tone="warning" icon="alert">
              hidden characters
            </Tag>
          )}
        </summary>
        {isOpen && (
          <div className="pad stack">
            {warnings.map((warning) => (
              <div key={warning} className="state-reason">
                {warning}
              </div>
            ))}
            {typeof description === 'string' && (
              <div className="wrap">
                <PlainText text={description} most={8_000} />
              </div>
            )}
            <JsonTree value={definition} label={`Definition of ${exposedName}`} />
          </div>
        )}
      </details>
    </li>
  )
}
