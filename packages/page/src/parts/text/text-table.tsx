import { Button } from '@mantine/core'
import { useState, type ReactElement } from 'react'

const rowsAtOnce = 100
const maxCharacters = 200

export interface TextTableProps {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What the table leaves out. */
  readonly remark?: string | undefined
}

/** Rows of text from a server, some at a time. */
export function TextTable({ title, head, rows, remark }: TextTableProps): ReactElement {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <div className="card">
      <div className="card-head">
        <h3>{title}</h3>
        <span className="count">
          {rows.length} {rows.length === 1 ? 'row' : 'rows'}
        </span>
        {remark !== undefined && <span className="quiet">{remark}</span>}
      </div>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={`Table ${title}`}>
        <table className="table">
          <thead>
            <tr>
              {head.map((name, index) => (
                // Columns may share a name.
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // Rows of a server have no identity but their place.
              <tr key={index}>
                {head.map((_, column) => (
                  <td key={column} className="mono wrap">
                    {cut(row[column] ?? '')}
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

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}
