import { Button } from '@mantine/core'
import { createLoadable, FormRow, FormRows, Loaded } from '@parley/page/parts'
import { closeSettings, type SettingsSection } from '@parley/page/shell'

import { isConnected } from '../lists.ts'
import { useStore } from '../store.ts'
import { openDialog, showServer } from '../view.ts'

const modelForm = createLoadable(async () => (await import('../requests/model-form.tsx')).ModelForm)

/** The Inspector's sections of the settings page. */
export function useSettings(): readonly SettingsSection[] {
  const servers = useStore((store) => store.servers)
  return [
    {
      id: 'connections',
      title: 'Connections',
      icon: 'server',
      about: 'Each server keeps its command or address, its headers and its limits.',
      content: (
        <>
          <FormRows>
            {servers.map((server) => (
              <FormRow
                key={server.name}
                mark={<span className="dot" data-tone={isConnected(server) ? 'good' : 'plain'} />}
                title={server.name}
                about={
                  <span className="mono">
                    {'url' in server.entry ? server.entry.url : server.entry.command}
                  </span>
                }
              >
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    closeSettings()
                    showServer(server.name)
                    openDialog({ kind: 'settings', server: server.name })
                  }}
                >
                  Settings of {server.name}
                </Button>
              </FormRow>
            ))}
            {servers.length === 0 && <FormRow title="No server yet" />}
          </FormRows>
          <Button
            className="self-start"
            variant="default"
            onClick={() => {
              closeSettings()
              openDialog({ kind: 'add-server' })
            }}
          >
            Add server
          </Button>
        </>
      ),
    },
    {
      id: 'model',
      title: 'Sampling model',
      icon: 'spark',
      content: (
        <Loaded part={modelForm} name="The model">
          {(ModelForm) => <ModelForm />}
        </Loaded>
      ),
    },
    {
      id: 'data',
      title: 'Data',
      icon: 'database',
      content: (
        <FormRows>
          <FormRow
            title="Nothing is sent anywhere"
            about="No telemetry, no update check, no font or script from elsewhere. Keys are kept in the secret store of this computer."
          />
        </FormRows>
      ),
    },
  ]
}
