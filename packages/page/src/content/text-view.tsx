import { Button } from '@mantine/core'
import { useState, type ReactElement } from 'react'

import { JsonTree } from '../form/code/json-tree.tsx'
import { CappedText } from '../parts/text/capped-text.tsx'
import { looksLikeCsv, readCsv } from '../parts/text/read-csv.ts'
import { RichText } from '../parts/text/rich-text.tsx'
import { TextTable } from '../parts/text/text-table.tsx'
import { findTables, StructuredView } from './structured-view.tsx'

/** Longer text is not parsed: a page must stay quick. */
const maximumParsedLength = 2_000_000

export interface TextViewProps {
  readonly text: string
  /** What the server says it is, and where it is from; a block of text says neither. */
  readonly mimeType?: string | undefined
  readonly address?: string | undefined
}

/** Text by what it is: JSON as a tree or table, CSV as a table, Markdown rendered; each also as it came. */
export function TextView({ text, mimeType, address = '' }: TextViewProps): ReactElement {
  const type = (mimeType ?? '').toLowerCase().split(';', 1)[0]?.trim() ?? ''
  const json = readJson(text)
  if (json !== undefined) {
    return (
      <Switched text={text} name="JSON" isShown>
        {findTables(json).length > 0 ? (
          <StructuredView value={json} />
        ) : (
          <JsonTree value={json} label="Text as JSON" />
        )}
      </Switched>
    )
  }
  const isCsv = csvTypes.has(type) || (isVague(type) && /\.[ct]sv(?:[?#]|$)/i.test(address))
  if (text.length <= maximumParsedLength && (isCsv || (type === '' && looksLikeCsv(text)))) {
    return (
      <Switched text={text} name="a table" isShown={isCsv}>
        <CsvView text={text} isTabbed={type === tabbed} />
      </Switched>
    )
  }
  if (
    /^text\/(?:x-)?markdown$/.test(type) ||
    (isVague(type) && /\.(?:md|markdown)$/i.test(address))
  )
    return <RichText text={text} isMarkdown="yes" />
  if (isVague(type)) return <RichText text={text} isMarkdown={type === '' ? 'guess' : 'ask'} />
  return <CappedText text={text} />
}

const tabbed = 'text/tab-separated-values'
const csvTypes = new Set(['text/csv', 'application/csv', tabbed])

/** Whether a type leaves open what it is. */
function isVague(type: string): boolean {
  return type === '' || type === 'text/plain'
}

function Switched({
  text,
  name,
  isShown,
  children,
}: {
  readonly text: string
  readonly name: string
  readonly isShown: boolean
  readonly children: ReactElement
}) {
  const [isText, setIsText] = useState(!isShown)
  return (
    <>
      {isText ? <CappedText text={text} /> : children}
      <Button variant="subtle" size="compact-xs" onClick={() => setIsText(!isText)}>
        {isText ? `Show as ${name}` : 'Show as text'}
      </Button>
    </>
  )
}

function CsvView({ text, isTabbed }: { readonly text: string; readonly isTabbed: boolean }) {
  const { head, rows, isCut } = isTabbed ? readCsv(text, '\t') : readCsv(text)
  const columns = head.slice(0, 50)
  const left = [
    ...(head.length > columns.length ? [`${head.length - columns.length} more columns`] : []),
    ...(isCut ? ['more rows'] : []),
  ]
  return (
    <TextTable
      title="CSV"
      head={columns}
      rows={rows}
      remark={left.length > 0 ? `${left.join(' and ')} in the text` : undefined}
    />
  )
}

function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > maximumParsedLength) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // text that only begins like JSON
  }
}
