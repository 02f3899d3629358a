import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { Empty, formatMs, Tag } from '@parley/page/parts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState, type ReactElement } from 'react'

import type { OfferedView, ServerView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { PlainText } from '../parts/plain-text.tsx'

export interface OffersProps {
  readonly name: string
  readonly counts: ServerView['counts']
}

const kinds = [
  { value: 'tool', label: 'Tools', count: 'tools' },
  { value: 'prompt', label: 'Prompts', count: 'prompts' },
  { value: 'resource', label: 'Resources', count: 'resources' },
  { value: 'resourceTemplate', label: 'Templates', count: 'resourceTemplates' },
] as const

const rowHeight = 36
const overscan = 8

/** What a server offers under the names that callers see, the most called first. */
export function Offers({ name, counts }: OffersProps): ReactElement {
  const [kind, setKind] = useState<OfferedView['kind']>('tool')
  const [filter, setFilter] = useState('')
  const [picked, setPicked] = useState<OfferedView>()
  const asked = useAsked(
    () => openChannel().ask('servers/offers', { name }),
    [name, counts.tools, counts.prompts, counts.resources, counts.resourceTemplates],
  )
  const shown = kinds.find(({ value }) => value === kind) ?? kinds[0]
  return (
    <section className="card" aria-label="What it offers">
      <div className="card-head wrap-row">
        <h2 className="visually-hidden">What it offers</h2>
        <SegmentedControl
          aria-label="Kind"
          value={kind}
          onChange={setKind}
          data={kinds.map(({ value, label, count }) => ({
            value,
            label: `${label} ${counts[count] === 0 ? '–' : counts[count]}`,
          }))}
        />
        <span className="grow" />
        <TextInput
          aria-label="Search what it offers"
          placeholder={`Filter ${counts[shown.count]} ${shown.label.toLowerCase()}`}
          data-search
          value={filter}
          leftSection={<Icon name="search" size={14} />}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <Answer asked={asked} name="What it offers">
        {(offers) => {
          const wanted = filter.toLowerCase()
          const found = offers
            .filter(
              (each) =>
                each.kind === kind &&
                (each.name.toLowerCase().includes(wanted) ||
                  each.exposedName.toLowerCase().includes(wanted)),
            )
            .toSorted((one, two) => (two.calls?.count ?? 0) - (one.calls?.count ?? 0))
          if (found.length === 0) return <Empty icon="search" title="Nothing of this kind" />
          return <OfferTable server={name} offers={found} onPick={setPicked} />
        }}
      </Answer>
      {picked !== undefined && <Definition offer={picked} onClose={() => setPicked(undefined)} />}
    </section>
  )
}

/** Rows are made for what is in sight: a server may have thousands of tools. */
function OfferTable(props: {
  readonly server: string
  readonly offers: readonly OfferedView[]
  readonly onPick: (offer: OfferedView) => void
}): ReactElement {
  const { server, offers, onPick } = props
  const pane = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: offers.length,
    getScrollElement: () => pane.current,
    estimateSize: () => rowHeight,
    overscan,
  })
  const items = rows.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <>
      <div
        ref={pane}
        className="table-scroll offers-scroll"
        tabIndex={0}
        role="region"
        aria-label="Offers of the server"
      >
        <table className="table" aria-rowcount={offers.length + 1}>
          <thead>
            <tr>
              <th scope="col">Name for callers</th>
              <th scope="col">Description</th>
              <th scope="col" className="number">
                Calls
              </th>
              <th scope="col" className="number">
                Errors
              </th>
              <th scope="col" className="number">
                p99
              </th>
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Space height={before} />}
            {items.map(({ index }) => {
              const offer = offers[index]
              return (
                offer && (
                  <OfferRow
                    key={offer.name}
                    server={server}
                    offer={offer}
                    row={index + 2}
                    onPick={onPick}
                  />
                )
              )
            })}
            {after > 0 && <Space height={after} />}
          </tbody>
        </table>
      </div>
      <p className="quiet pad number-line">
        {offers.length.toLocaleString('en')}, the most called first
      </p>
    </>
  )
}

function Space({ height }: { readonly height: number }): ReactElement {
  return (
    <tr aria-hidden="true" className="table-space">
      <td colSpan={5} style={{ height }} />
    </tr>
  )
}

function OfferRow(props: {
  readonly server: string
  readonly offer: OfferedView
  readonly row: number
  readonly onPick: (offer: OfferedView) => void
}): ReactElement {
  const { server, offer, row, onPick } = props
  const { name, exposedName, definition, warnings, calls } = offer
  const { description, title } = definition
  const about = typeof description === 'string' ? description : title
  // Names that a rule changed have no such beginning, or another end.
  const prefix = exposedName.endsWith(name) ? exposedName.slice(0, -name.length) : ''
  const wasRenamed = !exposedName.endsWith(name) && name !== exposedName
  return (
    <tr aria-rowindex={row} style={{ height: rowHeight }}>
      <th scope="row">
        <span className="row">
          <button
            type="button"
            className="offer-name mono"
            aria-label={`${exposedName}: definition`}
            onClick={() => onPick(offer)}
          >
            {prefix !== '' && <span className="quiet">{prefix}</span>}
            <strong>
              <PlainText text={exposedName.slice(prefix.length)} most={120} />
            </strong>
          </button>
          {wasRenamed && (
            <span className="quiet" title={`Renamed by the file of the gateway, at ${server}`}>
              was <PlainText text={name} most={120} />
            </span>
          )}
          {warnings.length > 0 && (
            <Tag tone="warning" icon="alert">
              hidden characters
            </Tag>
          )}
        </span>
      </th>
      <td className="quiet offer-about">
        {typeof about === 'string' && <PlainText text={about.split('\n')[0] ?? ''} most={120} />}
      </td>
      <td className="number">{calls === undefined ? '–' : calls.count.toLocaleString('en')}</td>
      <td
        className="number"
        data-tone={calls !== undefined && calls.errors > 0 ? 'bad' : undefined}
      >
        {calls === undefined || calls.errors === 0 ? '–' : calls.errors.toLocaleString('en')}
      </td>
      <td className="number">{calls === undefined ? '–' : formatMs(calls.p99)}</td>
    </tr>
  )
}

function Definition(props: {
  readonly offer: OfferedView
  readonly onClose: () => void
}): ReactElement {
  const { exposedName, definition, warnings } = props.offer
  const { description } = definition
  return (
    <Modal opened onClose={props.onClose} title={exposedName} size="lg">
      <div className="stack">
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
        <Button variant="default" className="self-start" onClick={props.onClose}>
          Close
        </Button>
      </div>
    </Modal>
  )
}
