import { Button, Group, Modal } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Note, ProblemNote, problemOf } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { useStore } from '../../store.ts'
import { closeDialog } from '../../view.ts'
import { CommandView } from './command-view.tsx'
import { ReadsView } from './reads-view.tsx'

/** Servers that are not connected and can be. */
export function startable(servers: readonly ServerView[]): readonly ServerView[] {
  return servers.filter(({ state }) => ['off', 'blocked', 'closed', 'failed'].includes(state))
}

/** Starts and connects all servers at once; every command is shown before, word by word. */
export function StartAll(): ReactElement {
  const servers = useStore((store) => store.servers)
  const [wanted] = useState(() => startable(servers))
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const blocked = wanted.filter(({ state: itemState }) => itemState === 'blocked')

  async function start() {
    setState({ isBusy: true })
    const channel = openChannel()
    const begun = wanted.map(async ({ name, state: before, entry, approval }) => {
      if (before === 'blocked' && approval?.to !== undefined) {
        const { reads, to } = approval
        return channel.ask('servers/approve', { name, reads, to })
      }
      if (before !== 'blocked' || !('command' in entry)) {
        return channel.ask('servers/connect', { name })
      }
      const { command, args = [], env, cwd } = entry
      return channel.ask('servers/confirm', {
        name,
        argv: [command, ...args],
        ...(env && { env }),
        ...(cwd !== undefined && { cwd }),
      })
    })
    const ends = await Promise.allSettled(begun)
    // Why one did not start is in its view; only what was not even tried is said here.
    const failed = ends.find(
      (end) => end.status === 'rejected' && problemOf(end.reason).code === 'not_confirmed',
    )
    if (failed?.status === 'rejected') setState({ isBusy: false, error: failed.reason })
    else closeDialog()
  }

  return (
    <Modal opened onClose={closeDialog} title={`Start ${wanted.length} servers?`} size="lg">
      <div className="stack">
        {blocked.some(({ entry }) => 'command' in entry) && (
          <Note tone="warning" title="This starts programs on your machine with your permissions">
            Start them only if you know where they come from.
          </Note>
        )}
        {blocked.some(({ approval }) => approval?.to !== undefined) && (
          <Note tone="warning" title="This sends some of your data to addresses">
            Files that came with the project say so. Approve it only if you know who wrote them.
          </Note>
        )}
        {wanted.map(({ name, entry, approval, state: before }) => (
          <section key={name} aria-label={name} className="stack-tight">
            <h3>{name}</h3>
            {'command' in entry && before === 'blocked' ? (
              <CommandView entry={entry} />
            ) : (
              <code className="mono wrap">
                {'url' in entry ? entry.url : [entry.command, ...(entry.args ?? [])].join(' ')}
              </code>
            )}
            {before === 'blocked' && approval && <ReadsView {...approval} />}
          </section>
        ))}
        {state.error !== undefined && (
          <ProblemNote problem={problemOf(state.error)} title="Not all were started" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog} data-autofocus>
            Cancel
          </Button>
          <Button
            loading={state.isBusy}
            leftSection={<Icon name="play" size={14} />}
            onClick={() => void start()}
          >
            Start all
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
