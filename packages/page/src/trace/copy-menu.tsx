import { Button, Menu } from '@mantine/core'
import type { TraceRecord } from '@parley/foundation/trace'
import type { ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { announce } from '../parts/announce.ts'
import { showProblem } from '../parts/problem.tsx'
import type { Row } from './rows/rows.ts'
import { useTraceSetting } from './trace-setting.ts'
import { useTrace } from './trace-state.ts'

const json = { id: 'json', label: 'JSON' }

/** A recorded message as text to paste, in the forms that make sense for it. */
export function CopyMenu({ row }: { readonly row: Row }): ReactElement {
  const { seq, role, kind, direction } = row.entry
  const source = useTrace((state) => state.source)
  const { actions: { copyForms, copyAs } = {} } = useTraceSetting()
  // Our own requests can be made by something else; whatever else was said is JSON.
  const isOurs = source.isLive && kind === 'message' && role === 'request' && direction === 'out'
  const forms = isOurs && copyAs ? (copyForms?.(row) ?? []) : []
  const copy = async (form: string) => {
    const text =
      copyAs === undefined || form === json.id
        ? jsonOfRecord(await source.record(seq))
        : await copyAs(seq, form)
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
        {[...forms, json].map(({ id, label }) => (
          <Menu.Item
            key={id}
            onClick={() =>
              copy(id).catch((error: unknown) => showProblem(error, 'It could not be copied'))
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
