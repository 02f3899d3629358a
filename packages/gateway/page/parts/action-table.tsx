import type { ReactElement, ReactNode } from 'react'

export interface ActionTableProps {
  /** What its rows are. */
  readonly label: string
  /** The heads of all columns but the last, which has the buttons of each row. */
  readonly columns: readonly string[]
  /** The rows. */
  readonly children: ReactNode
}

/** A table with buttons at the end of each row; it scrolls sideways where it is too wide. */
export function ActionTable({ label, columns, children }: ActionTableProps): ReactElement {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
