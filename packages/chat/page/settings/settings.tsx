import type { SettingsSection } from '@parley/page/shell'

import { Permissions } from '../right/permissions.tsx'
import { Roots } from '../right/roots.tsx'
import { useStore } from '../store.ts'
import { PickModel } from '../welcome/pick-model.tsx'
import { Data } from './data.tsx'
import { ServersSettings } from './servers-settings.tsx'

/** The chat's sections of the settings page. */
export function useSettings(): readonly SettingsSection[] {
  const canSetUp = useStore((store) => store.canSetUp)
  const model = useStore((store) => store.models[0])
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
            content: <PickModel current={model} />,
          } as const,
        ]
      : []),
    {
      id: 'servers',
      title: 'Servers',
      icon: 'server',
      about: 'The model is told of the tools that are ticked here.',
      note: failed === 0 ? undefined : `${failed} failed`,
      content: <ServersSettings />,
    },
    {
      id: 'folders',
      title: 'Folders',
      icon: 'folder',
      about: 'Servers are told that you work here. That guides them; it does not confine them.',
      content: <Roots />,
    },
    {
      id: 'permissions',
      title: 'Permissions',
      icon: 'shield',
      about: 'A call that matches no rule asks you. Rules of a file are not listed here.',
      content: <Permissions />,
    },
    {
      id: 'data',
      title: 'Data',
      icon: 'database',
      about:
        'Chats stay on this computer. Nothing is sent to anyone but the model and the servers you chose.',
      content: <Data />,
    },
  ]
}
