import { ActionIcon, Popover } from '@mantine/core'
import { useState, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { useTrace } from './trace-state.ts'

const examples = [
  ['method:tools/call', 'this method'],
  ['status:error', 'what failed; or pending, lost, timed, cancelled, probe, ok'],
  ['dur:>200', 'what took longer, in ms or s; < for less'],
  ['wait:person', 'calls that waited for a person; server, client, network, unknown'],
  ['server:git', 'one server'],
  ['kind:http', 'one kind of record'],
  ['dir:in', 'from the server; out for to the server'],
  ['text:"two words"', 'contains this text'],
  ['is:pinned', 'what you pinned'],
  ['-status:ok', 'the opposite'],
] as const

/** The words of the filter, each to try. */
export function FilterHelp(): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="top-start" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          size={20}
          variant="subtle"
          color="gray"
          aria-label="How to filter"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="info" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="How to filter">
        <dl className="filter-help">
          {examples.map(([example, meaning]) => (
            <div key={example}>
              <dt>
                <button
                  type="button"
                  className="link-button mono"
                  onClick={() => {
                    useTrace.setState({ filterText: example })
                    setIsOpen(false)
                  }}
                >
                  {example}
                </button>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className="quiet">All parts must match. A plain word is searched for in the line.</p>
      </Popover.Dropdown>
    </Popover>
  )
}
