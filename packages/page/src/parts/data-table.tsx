import type { ReactElement, ReactNode } from 'react'

/** The head of a column: its name, or how its cells are aligned too. */
export type TableColumn = string | { readonly title: string; readonly align: 'right' }

export interface DataTableProps {
  /** Says what the rows are; read out, not shown. */
  readonly label: string
  readonly columns: readonly TableColumn[]
  /** Whether one more column, without a shown name, has the buttons of each row. */
  readonly hasActions?: boolean
  /** Of the pane around the table. */
  readonly className?: string
  /** The keys of lists go from row to row. */
  readonly isList?: boolean
  /** The rows: `<tr>` with one cell for each column. */
  readonly children: ReactNode
}

/** A table. It scrolls sideways where it is too wide, with its first column in place; words are not broken. */
export function DataTable(props: DataTableProps): ReactElement {
  const { label, columns, hasActions = false, className = '', isList = false, children } = props
  return (
    <div
      className={`table-scroll ${className}`.trim()}
      tabIndex={0}
      role="region"
      aria-label={label}
      {...(isList && { 'data-list': true })}
    >
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={titleOf(column)}
                scope="col"
                {...(typeof column !== 'string' && { className: 'number' })}
              >
                {titleOf(column)}
              </th>
            ))}
            {hasActions && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function titleOf(column: TableColumn): string {
  return typeof column === 'string' ? column : column.title
}
