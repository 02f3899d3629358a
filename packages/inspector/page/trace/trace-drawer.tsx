import { TraceViewer, type Row, type TraceActions } from '@parley/page/trace'
import { useCallback, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { useLoadedLists } from '../lists.ts'
import { useStore } from '../store.ts'
import { toggleFullTrace, useView } from '../view.ts'
import { liveTrace } from './live-trace.ts'

const copyForms = [
  { id: 'curl', label: 'curl' },
  { id: 'cli', label: 'Command line' },
  { id: 'code', label: 'TypeScript' },
  { id: 'test', label: 'Test' },
] as const

const saveForms = [
  { id: 'jsonl', label: 'Trace file' },
  { id: 'test', label: 'Test in TypeScript' },
] as const

/** Everything that crossed the connections, in time. */
export function TraceDrawer(): ReactElement {
  const server = useView((view) => view.server)
  const isFull = useView((view) => view.isTraceFull)
  const hasOthers = useStore((store) => store.servers.length > 1)
  const mayChange = useStore((store) => store.may.change)
  const lists = useLoadedLists()
  const schemasOf = useCallback(
    (name: string, tool: string) =>
      lists[`${name}\ntools`]?.items.find((item) => item['name'] === tool),
    [lists],
  )
  return (
    <TraceViewer
      source={liveTrace()}
      server={server}
      hasOthers={hasOthers}
      full={{ isFull, toggle: toggleFullTrace }}
      schemasOf={schemasOf}
      actions={{ ...actions, isResendOff: !mayChange }}
    />
  )
}

const actions: TraceActions = {
  async resend({ server, message, seq }) {
    const { error } = await openChannel().ask('trace/resend', {
      server,
      run: crypto.randomUUID(),
      message: { ...message },
      ...(seq !== undefined && { seq }),
    })
    return error?.message
  },
  copyForms: ({ entry }: Row) =>
    copyForms.filter(({ id }) => id !== 'curl' || !isCommand(entry.server)),
  copyAs: async (seq, form) => {
    const { id } = copyForms.find((candidate) => candidate.id === form) ?? copyForms[0]
    return (await openChannel().ask('trace/copy', { seq, as: id })).text
  },
  saveForms,
  saveAs(form) {
    const { id } = saveForms.find((candidate) => candidate.id === form) ?? saveForms[0]
    return openChannel().ask('trace/export', { format: id })
  },
}

/** Whether a server is a program: what is said to it cannot be said by `curl`. */
function isCommand(server: string): boolean {
  const { servers } = useStore.getState()
  return servers.some(({ name, entry }) => name === server && 'command' in entry)
}
