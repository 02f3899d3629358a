import { Checkbox, PasswordInput, Select, TextInput } from '@mantine/core'
import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { ConfigServer } from '../../../src/protocol/index.ts'

export interface ConfigServersProps {
  readonly servers: readonly ConfigServer[]
  readonly left: ReadonlySet<string>
  readonly onLeave: (name: string, isLeft: boolean) => void
  readonly answers: { readonly [id: string]: string }
  readonly onAnswer: (id: string, answer: string) => void
}

/** The servers of a configuration: which to add, what each reads of this machine, and what it asks. */
export function ConfigServers(props: ConfigServersProps): ReactElement {
  const { servers, left, onLeave, answers, onAnswer } = props
  const inputs = new Map(
    servers
      .filter(({ name, why }) => why === undefined && !left.has(name))
      .flatMap((server) => server.inputs.map((input) => [input.id, input] as const)),
  )
  return (
    <>
      <ul className="pasted" aria-label="Servers in it">
        {servers.map(({ name, shown, why, reads }) => (
          <li key={name}>
            <Checkbox
              size="xs"
              label={name}
              checked={why === undefined && !left.has(name)}
              disabled={why !== undefined}
              onChange={(event) => onLeave(name, !event.currentTarget.checked)}
            />
            <code className="mono wrap">{shown}</code>
            {why !== undefined && <Tag tone="warning">{why}</Tag>}
            {reads.length > 0 && (
              <div className="config-reads">
                Reads from this machine:{' '}
                {reads.map(({ variable, key }) => (
                  <span key={`${key} ${variable}`}>
                    <code className="code-inline">{variable}</code> for {key}{' '}
                  </span>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
      {[...inputs.values()].map(({ id, description, isPassword, options }) => {
        const shared = { label: description ?? id, value: answers[id] ?? '', required: true }
        if (options !== undefined) {
          return (
            <Select
              key={id}
              {...shared}
              value={answers[id] ?? null}
              data={[...options]}
              onChange={(picked) => onAnswer(id, picked ?? '')}
            />
          )
        }
        const Input = isPassword ? PasswordInput : TextInput
        return (
          <Input
            key={id}
            {...shared}
            autoComplete="off"
            onChange={(event) => onAnswer(id, event.currentTarget.value)}
          />
        )
      })}
    </>
  )
}
