import { Button, Group, Modal } from '@mantine/core'
import { useState, type ReactElement } from 'react'

import { codeOfVariable } from '../../src/protocol/code-variables.ts'
import type { ServerView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { Icon } from '../icons.tsx'
import { Note, problemOf, ProblemNote } from '../parts/problem.tsx'
import { Tag } from '../parts/tag.tsx'
import { closeDialog } from '../view.ts'
import { dangerOf } from './command-dangers.ts'

/** Shows exactly what would be started, word by word, and starts nothing before the user says so. */
export function ConfirmCommand({ server }: { readonly server: ServerView }): ReactElement | null {
  const { name, entry } = server
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  if (!('command' in entry)) return null
  const argv = [entry.command, ...(entry.args ?? [])]
  const { env, cwd } = entry
  const variables = Object.entries(env ?? {})

  async function confirm() {
    setState({ isBusy: true })
    try {
      await openChannel().ask('servers/confirm', {
        name,
        argv,
        ...(env && { env }),
        ...(cwd !== undefined && { cwd }),
      })
      closeDialog()
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <Modal opened onClose={closeDialog} title={`Start ${name}?`} size="lg">
      <div className="stack">
        <Note tone="warning" title="This starts a program on your machine, with your rights">
          Start it only when you know where it comes from.
        </Note>
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
        {cwd !== undefined && (
          <p className="quiet">
            In <code className="code-inline">{cwd}</code>
          </p>
        )}
        {state.error !== undefined && (
          <ProblemNote problem={problemOf(state.error)} title="It did not start" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog} data-autofocus>
            Do not start
          </Button>
          <Button
            loading={state.isBusy}
            leftSection={<Icon name="play" size={14} />}
            onClick={() => void confirm()}
          >
            Start it
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
