import type { CommandEntry } from '@parley/mcp/client'
import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { codeOfVariable } from '../../../src/protocol/code-variables.ts'
import { dangerOf } from './command-dangers.ts'

/** All that decides what a command does, as it would be started: words, environment, folder. */
export function CommandView({ entry }: { readonly entry: CommandEntry }): ReactElement {
  const argv = [entry.command, ...(entry.args ?? [])]
  const variables = Object.entries(entry.env ?? {})
  return (
    <>
      <ol className="argv" aria-label="The command line, one argument a line">
        {argv.map((argument, index) => (
          // An argument can appear twice; its place is what tells it apart.
          <li key={`${index} ${argument}`}>
            <span className="argv-index" aria-hidden="true">
              {index}
            </span>
            <code>{argument === '' ? '(empty)' : argument}</code>
            {dangerOf(argument) !== undefined && (
              <Tag tone="bad" icon="alert">
                {dangerOf(argument)}
              </Tag>
            )}
          </li>
        ))}
      </ol>
      {variables.length > 0 && (
        <table className="table">
          <caption className="field-label">Environment</caption>
          <tbody>
            {variables.map(([variable, value]) => (
              <tr key={variable}>
                <th scope="row" className="mono env-name">
                  {variable}
                </th>
                <td className="mono wrap">
                  {value}{' '}
                  {codeOfVariable(variable) !== undefined && (
                    <Tag tone="bad" icon="alert">
                      {codeOfVariable(variable)}
                    </Tag>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {entry.cwd !== undefined && (
        <p className="quiet">
          In <code className="code-inline">{entry.cwd}</code>
        </p>
      )}
    </>
  )
}
