import { Button, Menu } from '@mantine/core'
import type { TraceRecord } from '@parley/foundation/trace'
import type { ReactElement } from 'react'

import { announce } from '../announce.ts'
import { openChannel } from '../channel.ts'
import { Icon } from '../icons.tsx'
import { showProblem } from '../parts/problem.tsx'
import { useStore } from '../store.ts'
import type { Row } from './rows/rows.ts'
import { useTrace } from './trace-state.ts'

const forms = [
  ['curl', 'curl'],
  ['cli', 'Command line'],
  ['code', 'TypeScript'],
  ['test', 'Test'],
  ['json', 'JSON'],
] as const

/** A recorded message as text to paste, in the forms that make sense for it. */
export function CopyMenu({ row }: { readonly row: Row }): ReactElement {
  const { seq, role, kind, direction, server } = row.entry
  const source = useTrace((state) => state.source)
  const isCommand = useStore(({ servers }) =>
    servers.some(({ name, entry }) => name === server && 'command' in entry),
  )
  // Our own requests can be made by something else; whatever else was said is JSON.
  const isOurs = source.isLive && kind === 'message' && role === 'request' && direction === 'out'
  const copy = async (as: (typeof forms)[number][0]) => {
    const text =
      as === 'json'
        ? jsonOfRecord(await source.record(seq))
        : (await openChannel().ask('trace/copy', { seq, as })).text
    await navigator.clipboard.writeText(text)
    announce('Copied')
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="default"
          rightSection={<Icon name="chevronDown" size={12} />}
        >
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {forms
          .filter(([as]) => as === 'json' || (isOurs && !(as === 'curl' && isCommand)))
          .map(([as, label]) => (
            <Menu.Item
              key={as}
              onClick={() =>
                copy(as).catch((error: unknown) => showProblem(error, 'It could not be copied'))
              }
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The message; of other kinds of records all that is known. */
function jsonOfRecord(record: TraceRecord | undefined): string {
  if (!record) throw new Error('this record is no longer stored')
  return JSON.stringify(record.message ?? record, undefined, 2)
}
