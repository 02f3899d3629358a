import { isJsonObject } from '@parley/mcp/json'
import type { ReactElement } from 'react'

import { JsonTree } from '../form/code/json-tree.tsx'
import { TextTable } from '../parts/text/text-table.tsx'

const maximumColumns = 12

/** JSON as a tree, and lists of objects in it as tables. */
export function StructuredView({ value }: { readonly value: unknown }): ReactElement {
  const tables = findTables(value)
  return (
    <>
      {tables.map(({ title, rows }) => (
        <RowsTable key={title} title={title} rows={rows} />
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
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([title, member]) =>
    isRows(member) ? [{ title, rows: member }] : [],
  )
}

function isRows(value: unknown): value is readonly { readonly [name: string]: unknown }[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject)
}

function RowsTable({ title, rows }: TableData) {
  const all = [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))]
  const columns = all.slice(0, maximumColumns)
  const left = all.length - columns.length
  return (
    <TextTable
      title={title}
      head={columns}
      rows={rows.map((row) => columns.map((column) => show(row[column])))}
      remark={left > 0 ? `${left} more columns in the tree` : undefined}
    />
  )
}

function show(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
