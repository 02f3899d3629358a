import type { ReactElement } from 'react'

import { useStore } from '../store.ts'
import { useView } from '../view.ts'
import { AddServer } from './servers/add-server.tsx'
import { ApproveSending } from './servers/approve-sending.tsx'
import { ConfirmCommand } from './servers/confirm-command.tsx'
import { DiagnosisDialog } from './servers/diagnosis.tsx'
import { RemoveServer } from './servers/remove-server.tsx'
import { ServerSettingsDialog } from './servers/server-settings.tsx'
import { StartAll } from './servers/start-all.tsx'

/** Whichever dialog is open. */
export function Dialogs(): ReactElement | null {
  const dialog = useView((view) => view.dialog)
  const servers = useStore((store) => store.servers)
  if (dialog === undefined) return null
  const name = 'server' in dialog ? dialog.server : undefined
  const server = servers.find((candidate) => candidate.name === name)
  switch (dialog.kind) {
    case 'add-server':
      return <AddServer />
    case 'edit':
      return server ? <AddServer key={server.name} edited={server} /> : null
    case 'start-all':
      return <StartAll />
    case 'confirm':
      if (server === undefined) return null
      return 'url' in server.entry ? (
        <ApproveSending server={server} />
      ) : (
        <ConfirmCommand server={server} />
      )
    case 'settings':
      return server ? <ServerSettingsDialog server={server} /> : null
    case 'diagnosis':
      return server ? <DiagnosisDialog server={server} /> : null
    case 'remove':
      return server ? <RemoveServer server={server} /> : null
  }
}
