import type { ReactElement } from 'react'

import type { ApprovalView } from '../../../src/protocol/index.ts'

/** What an entry takes of this machine, and the address that gets it. */
export function ReadsView({ reads, to }: ApprovalView): ReactElement | null {
  if (reads.length === 0) return null
  return (
    <>
      <table className="table">
        <caption className="field-label">What it reads</caption>
        <tbody>
          {reads.map(({ variable, key }) => (
            <tr key={`${key} ${variable}`}>
              <th scope="row" className="mono wrap">
                {variable}
              </th>
              <td className="mono wrap">{key}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {to !== undefined && (
        <p className="quiet">
          Goes to <code className="code-inline wrap">{to}</code>
        </p>
      )}
    </>
  )
}
