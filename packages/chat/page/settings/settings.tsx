import { createLoadable, Loaded } from '@parley/page/parts'
import type { SettingsSection } from '@parley/page/shell'
import type { ReactElement } from 'react'

import { useStore } from '../store.ts'

/** Fetched when the settings are opened, or while nothing else happens. */
const parts = createLoadable(() => import('./settings-parts.ts'))

function Part({ name }: { readonly name: 'Permissions' | 'Roots' | 'Data' | 'ServersSettings' }) {
  return (
    <Loaded part={parts} name="The settings">
      {({ [name]: Shown }) => <Shown />}
    </Loaded>
  )
}

function Models(): ReactElement {
  const model = useStore((store) => store.models[0])
  return (
    <Loaded part={parts} name="The settings">
      {({ PickModel, Titles }) => (
        <>
          <PickModel current={model} />
          <Titles />
        </>
      )}
    </Loaded>
  )
}

/** The chat's sections of the settings page. */
export function useSettings(): readonly SettingsSection[] {
  const canSetUp = useStore((store) => store.canSetUp)
  const failed = useStore((store) => store.servers.filter(({ state }) => state === 'failed').length)
  return [
    ...(canSetUp
      ? [
          {
            id: 'models',
            title: 'Models and keys',
            icon: 'spark',
            about:
              'The model for new chats. Keys are kept in the keychain of this computer; the page never sees them.',
            content: <Models />,
          } as const,
        ]
      : []),
    {
      id: 'servers',
      title: 'Servers',
      icon: 'server',
      about: 'The model is told of the tools that are ticked here.',
      note: failed === 0 ? undefined : `${failed} failed`,
      content: <Part name="ServersSettings" />,
    },
    {
      id: 'folders',
      title: 'Folders',
      icon: 'folder',
      about: 'Servers are told that you work here. That guides them; it does not confine them.',
      content: <Part name="Roots" />,
    },
    {
      id: 'permissions',
      title: 'Permissions',
      icon: 'shield',
      about: 'A call that matches no rule asks you. Rules of a file are not listed here.',
      content: <Part name="Permissions" />,
    },
    {
      id: 'data',
      title: 'Data',
      icon: 'database',
      about:
        'Chats stay on this computer. Nothing is sent to anyone but the model and the servers you chose.',
      content: <Part name="Data" />,
    },
  ]
}
