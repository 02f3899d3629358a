import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useRef, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { showProblem } from '../parts/problem.tsx'
import { downloadText } from '../parts/text/download.ts'
import { useProgram } from '../theme/program.ts'
import type { VisibleLine } from './rows/visible-rows.ts'
import { readTraceText } from './source/file-source.ts'
import { saveShown } from './source/save-shown.ts'
import { useTraceSetting } from './trace-setting.ts'
import { selectRow, showSource, useTrace } from './trace-state.ts'

/** What can be done with the trace as a whole. */
export function TraceMenu({ lines }: { readonly lines: readonly VisibleLine[] }): ReactElement {
  const { source, filterText, range, compared } = useTrace()
  const { actions: { saveForms = [], saveAs } = {} } = useTraceSetting()
  const program = useProgram()
  const file = useRef<HTMLInputElement>(null)
  const purpose = useRef<'open' | 'compare'>('open')
  const isPart = filterText.trim() !== '' || range !== undefined
  const choose = (next: 'open' | 'compare') => {
    purpose.current = next
    file.current?.click()
  }
  const take = async (picked: File | undefined) => {
    if (!picked) return
    const opened = readTraceText(picked.name, await picked.text())
    if (opened.records.length === 0) {
      const why = new Error('no line of it is a trace record')
      showProblem(why, `${picked.name} could not be opened`)
      return
    }
    if (opened.badLines > 0) {
      const why = new Error(`${opened.badLines} lines are not records and were left out`)
      showProblem(why, `${picked.name} was opened in part`)
    }
    if (purpose.current === 'open') showSource(opened)
    else useTrace.setState({ compared: opened, isComparing: true })
  }
  const fail = (error: unknown) => showProblem(error, 'The trace could not be saved')
  const save = (form: string) => {
    saveAs?.(form)
      .then(({ name, text }) => downloadText(name, text))
      .catch(fail)
  }
  const forms = source.isLive ? saveForms : []
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".jsonl,.json,.txt"
        hidden
        aria-label="A trace file"
        data-trace-file
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Save, open, compare">
            <ActionIcon size={26} aria-label="What to do with the trace">
              <Icon name="dots" size={15} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Save as</Menu.Label>
          {forms.map(({ id, label }) => (
            <Menu.Item key={id} onClick={() => save(id)}>
              {label}
            </Menu.Item>
          ))}
          {(isPart || forms.length === 0) && (
            <Menu.Item onClick={() => void saveShown(source, lines, program.name).catch(fail)}>
              Only what is shown
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => choose('open')}>Open a file…</Menu.Item>
          <Menu.Item onClick={() => choose('compare')}>Compare with a file…</Menu.Item>
          {compared && (
            <Menu.Item onClick={() => useTrace.setState({ isComparing: true })}>
              Compare with {compared.name} again
            </Menu.Item>
          )}
          <Menu.Item onClick={() => useTrace.setState({ filterText: 'is:pinned' })}>
            Show pinned
          </Menu.Item>
          {source.clear && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                onClick={() => {
                  source
                    .clear?.()
                    .catch((error: unknown) => showProblem(error, 'The trace could not be cleared'))
                  selectRow(undefined)
                  useTrace.setState({ range: undefined })
                }}
              >
                Clear
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
