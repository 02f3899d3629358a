import { Button } from '@mantine/core'
import { useState, type ReactElement } from 'react'

import { JsonTree } from '../form/json-tree.tsx'
import { isRecord } from '../json.ts'

const maximumColumns = 12
const rowsAtOnce = 100

/** JSON as a tree, and lists of objects in it as tables. */
export function StructuredView({ value }: { readonly value: unknown }): ReactElement {
  const tables = findTables(value)
  return (
    <>
      {tables.map(({ title, rows }) => (
        <DataTable key={title} title={title} rows={rows} />
      ))}
      <JsonTree value={value} label="Structured content" />
    </>
  )
}

interface TableData {
  readonly title: string
  readonly rows: readonly { readonly [name: string]: unknown }[]
}

/** The value itself, or members of it, where they are lists of objects. */
export function findTables(value: unknown): readonly TableData[] {
  if (isRows(value)) return [{ title: 'Rows', rows: value }]
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([title, member]) =>
    isRows(member) ? [{ title, rows: member }] : [],
  )
}

function isRows(value: unknown): value is readonly { readonly [name: string]: unknown }[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

function DataTable({ title, rows }: TableData) {
  const [shown, setShown] = useState(rowsAtOnce)
  const all = [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))]
  const columns = all.slice(0, maximumColumns)
  return (
    <div className="card">
      <div className="card-head">
        <h3>{title}</h3>
        <span className="count">
          {rows.length} {rows.length === 1 ? 'row' : 'rows'}
        </span>
        {all.length > columns.length && (
          <span className="quiet">{all.length - columns.length} more columns in the tree</span>
        )}
      </div>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={`Table ${title}`}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // Rows of a server have no identity but their place.
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} className="mono wrap">
                    {show(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown && (
        <Button variant="subtle" size="xs" onClick={() => setShown(shown + rowsAtOnce * 5)}>
          Show more ({rows.length - shown} rows left)
        </Button>
      )}
    </div>
  )
}

function show(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
