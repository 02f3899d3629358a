/**
 * The dialog with the settings of one server: the revision, the roots, and what this client offers. Leaves checking and keeping them to
 * the service. Opened from the list of servers.
 */

import {
  ActionIcon,
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  Switch,
  TextInput,
} from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { ProblemNote, problemOf } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { ServerSettings, ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { isConnected } from '../../lists.ts'
import { closeDialog } from '../../view.ts'
import { restart } from './server-actions.ts'

const eras = [
  { value: 'auto', label: 'Negotiate the best common revision' },
  { value: 'modern', label: 'Modern: 2026-07-28 and later' },
  { value: 'legacy', label: 'Legacy: with a handshake' },
  { value: '2026-07-28', label: '2026-07-28' },
  { value: '2025-11-25', label: '2025-11-25' },
  { value: '2025-06-18', label: '2025-06-18' },
  { value: '2025-03-26', label: '2025-03-26' },
  { value: '2024-11-05', label: '2024-11-05' },
]

const offers = [
  { name: 'elicitForm', label: 'Forms', description: 'elicitation with a form' },
  { name: 'elicitUrl', label: 'Links', description: 'elicitation with a URL to open' },
  { name: 'sampling', label: 'Sampling', description: 'sampling: model responses' },
  { name: 'roots', label: 'Roots', description: 'folders to work in' },
  { name: 'tasks', label: 'Tasks', description: 'calls that outlive a connection' },
  { name: 'skills', label: 'Skills', description: 'instructions and files for a model' },
  { name: 'apps', label: 'Apps', description: 'pages beside the results of tools' },
] as const satisfies readonly {
  name: keyof ServerSettings['offers']
  label: string
  description: string
}[]

/** The revision, the roots and what we offer, per server. */
export function ServerSettingsDialog({ server }: { readonly server: ServerView }): ReactElement {
  const { name } = server
  const [settings, setSettings] = useState(server.settings)
  const [root, setRoot] = useState('')
  const [error, setError] = useState<unknown>()
  const problems = useRootProblems(settings.roots)
  const change = (part: Partial<ServerSettings>) => setSettings({ ...settings, ...part })
  const needsRestart =
    isConnected(server) &&
    (settings.era !== server.settings.era ||
      JSON.stringify(settings.offers) !== JSON.stringify(server.settings.offers))

  function addRoot() {
    const uri = /^[a-z][\w+.-]*:\/\//i.test(root.trim()) ? root.trim() : `file://${root.trim()}`
    if (root.trim() === '' || settings.roots.includes(uri)) return
    change({ roots: [...settings.roots, uri] })
    setRoot('')
  }

  async function save() {
    try {
      await openChannel().ask('servers/settings', { name, settings })
      closeDialog()
      if (needsRestart) await restart(name)
    } catch (problem) {
      setError(problem)
    }
  }

  return (
    <Modal opened onClose={closeDialog} title={`Settings of ${name}`} size="lg">
      <div className="stack">
        <Select
          label="Protocol revision"
          description="Pin one to see how the server behaves with it."
          value={settings.era}
          onChange={(era) => change({ era: era ?? 'auto' })}
          data={eras}
          allowDeselect={false}
          data-autofocus
        />
        <fieldset className="fieldset">
          <legend>What the client offers the server</legend>
          <div className="switches">
            {offers.map((offer) => (
              <Switch
                key={offer.name}
                label={offer.label}
                description={offer.description}
                checked={settings.offers[offer.name]}
                onChange={(event) =>
                  change({
                    offers: { ...settings.offers, [offer.name]: event.currentTarget.checked },
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <fieldset className="fieldset">
          <legend>Roots</legend>
          <p className="quiet">
            Folders to tell the server about. They are information only: your system decides what a
            program can reach.
          </p>
          {settings.roots.length > 0 && (
            <ul className="plain-list">
              {settings.roots.map((uri) => (
                <li key={uri} className="row">
                  <Icon name={problems.has(uri) ? 'alert' : 'folder'} size={15} />
                  <div className="grow">
                    <code className="mono wrap">{uri}</code>
                    {problems.has(uri) && <div className="fault">{problems.get(uri)}</div>}
                  </div>
                  <ActionIcon
                    aria-label={`Remove the root ${uri}`}
                    onClick={() =>
                      change({ roots: settings.roots.filter((candidate) => candidate !== uri) })
                    }
                  >
                    <Icon name="cross" size={14} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          <Group gap={8} align="flex-end">
            <TextInput
              className="grow"
              label="Folder or file:// address"
              value={root}
              onChange={(event) => setRoot(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') addRoot()
              }}
              classNames={{ input: 'mono' }}
            />
            <Button variant="default" onClick={addRoot} disabled={root.trim() === ''}>
              Add root
            </Button>
          </Group>
          <Switch
            mt={12}
            label="Ask me each time"
            description="Off: the server is told these roots immediately, even if there are none."
            checked={settings.askForRoots ?? false}
            onChange={(event) => change({ askForRoots: event.currentTarget.checked })}
          />
        </fieldset>
        <NumberInput
          label="Time limit of a request"
          suffix=" ms"
          min={100}
          step={1000}
          placeholder="The default of the client"
          value={settings.requestTimeoutMs || ''}
          onChange={(value) => change({ requestTimeoutMs: typeof value === 'number' ? value : 0 })}
        />
        <NumberInput
          label="Time limit of connecting"
          description="A program that starts slowly needs more than the usual 30,000 ms."
          suffix=" ms"
          min={100}
          step={1000}
          placeholder="30,000 ms"
          value={settings.connectTimeoutMs || ''}
          onChange={(value) => change({ connectTimeoutMs: typeof value === 'number' ? value : 0 })}
        />
        <NumberInput
          label="Ping interval"
          description="Empty: no pings. Otherwise the server is pinged this often, with a notice when it does not answer."
          prefix="every "
          suffix=" ms"
          min={1000}
          step={1000}
          value={settings.pingEveryMs || ''}
          onChange={(value) => change({ pingEveryMs: typeof value === 'number' ? value : 0 })}
        />
        {error !== undefined && (
          <ProblemNote problem={problemOf(error)} title="The settings were not saved" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog}>
            Cancel
          </Button>
          <Button onClick={() => void save()}>{needsRestart ? 'Save and restart' : 'Save'}</Button>
        </Group>
      </div>
    </Modal>
  )
}

/** What is wrong with which root: gone, or not to be read. */
function useRootProblems(roots: readonly string[]): ReadonlyMap<string, string> {
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    if (roots.length === 0) return
    openChannel()
      .ask('roots/check', { roots })
      .then(
        (found) => setProblems(new Map(found.map(({ root, why }) => [root, why]))),
        () => setProblems(new Map()),
      )
  }, [roots])
  return problems
}
