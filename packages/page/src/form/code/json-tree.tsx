import '../form.css'
import { ActionIcon, Tooltip } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { announce } from '../../parts/announce.ts'
import { listRows, pickDepth, showMore, type JsonRow } from './json-rows.ts'

export interface JsonTreeProps {
  /** Any JSON; shown as text only, never as markup. */
  readonly value: unknown
  readonly label: string
}

const rowHeight = 22
const maxTextLength = 400

/** A JSON value as a tree that opens and closes. Only the lines in sight exist, however large the value is. */
export function JsonTree({ value, label }: JsonTreeProps): ReactElement {
  const id = useId()
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map())
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const openDepth = useMemo(() => pickDepth(value), [value])
  const rows = useMemo(
    () => listRows(value, { turned, openDepth, shown }),
    [value, turned, openDepth, shown],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const at = Math.min(active, rows.length - 1)

  const turn = (row: JsonRow) => {
    if (row.more) return setShown(showMore(shown, row.more.parent))
    if (!row.size) return
    const next = new Set(turned)
    if (!next.delete(row.pointer)) next.add(row.pointer)
    setTurned(next)
  }
  const go = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    virtual.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowDown') go(at + 1)
    else if (event.key === 'ArrowUp') go(at - 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(rows.length - 1)
    else if (event.key === 'ArrowRight' && !row.isOpen) turn(row)
    else if (event.key === 'ArrowRight') go(at + 1)
    else if (event.key === 'ArrowLeft' && row.isOpen) turn(row)
    else if (event.key === 'ArrowLeft') go(rows.findLastIndex(isAbove(row, at)))
    else if (event.key === 'Enter' || event.key === ' ') turn(row)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="json-tree">
      <div className="json-tree-copy">
        <CopyJson value={value} />
      </div>
      <div
        ref={scroller}
        className="json-tree-scroll"
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${id}${rows[at]?.pointer}`}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return (
              row && (
                <div
                  key={row.pointer}
                  id={`${id}${row.pointer}`}
                  role="treeitem"
                  aria-level={row.depth + 1}
                  aria-selected={index === at}
                  {...(row.size !== undefined && { 'aria-expanded': row.isOpen })}
                  className="json-row"
                  style={{ transform: `translateY(${start}px)`, paddingLeft: 8 + row.depth * 16 }}
                  onClick={() => {
                    setActive(index)
                    turn(row)
                  }}
                >
                  <RowText row={row} />
                </div>
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** The text is made when it is asked for: it can be large. */
function CopyJson({ value }: { readonly value: unknown }): ReactElement {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(JSON.stringify(value, undefined, 2) ?? '')
    setIsCopied(true)
    announce('Copied')
    setTimeout(() => setIsCopied(false), 1500)
  }
  return (
    <Tooltip label={isCopied ? 'Copied' : 'Copy as JSON'}>
      <ActionIcon
        aria-label="Copy as JSON"
        onClick={() => {
          copy().catch(() => announce('The browser did not allow copying'))
        }}
      >
        <Icon name={isCopied ? 'check' : 'copy'} size={15} />
      </ActionIcon>
    </Tooltip>
  )
}

function RowText({ row }: { readonly row: JsonRow }): ReactElement {
  if (row.more) {
    return <span className="json-more">{row.more.hidden.toLocaleString('en')} more…</span>
  }
  const isList = Array.isArray(row.value)
  return (
    <>
      <span className="json-turn">
        {row.size ? <Icon name={row.isOpen ? 'chevronDown' : 'chevronRight'} size={12} /> : null}
      </span>
      {row.name !== undefined && <span className="json-name">{row.name}: </span>}
      {row.size === undefined ? (
        <PlainValue value={row.value} />
      ) : (
        <span className="json-size">
          {isList ? `[ ${row.size} ]` : row.size === 0 ? '{ }' : `{ ${row.size} }`}
        </span>
      )}
    </>
  )
}

function PlainValue({ value }: { readonly value: unknown }): ReactElement {
  const kind = value === null ? 'word' : typeof value === 'string' ? 'text' : typeof value
  const text = JSON.stringify(value) ?? 'undefined'
  const cut = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
  return (
    <span
      className="json-value"
      data-kind={kind}
      title={cut === text ? undefined : 'cut; copy to see all'}
    >
      {cut}
    </span>
  )
}

function isAbove(row: JsonRow, at: number) {
  return (other: JsonRow, index: number) => index < at && other.depth < row.depth
}
