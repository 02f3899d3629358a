import { ActionIcon, Button, Menu } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { formatMs } from '@parley/page/parts'
import { PeerIcon } from '@parley/page/peer-icons'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { isConnected } from '../../lists.ts'
import { useStore } from '../../store.ts'
import { openDialog, showServer, useView } from '../../view.ts'
import { clone, connect, disconnect, restart, signIn } from './server-actions.ts'
import { ServerState } from './server-state.tsx'

/** One server in the rail. */
export function RailItem({ server }: { readonly server: ServerView }): ReactElement {
  const { name, state, session, lastLatencyMs } = server
  const isShown = useView((view) => view.server === name)
  const open = useStore(
    (store) =>
      store.questions.filter((question) => question.server === name && question.state === 'open')
        .length,
  )
  return (
    <li className="rail-item" data-shown={isShown}>
      <button
        type="button"
        className="rail-button"
        data-rail
        aria-current={isShown ? 'true' : undefined}
        onClick={() => showServer(name)}
      >
        <span className="row">
          <PeerIcon server={name} icons={session?.server.info?.['icons']} size={16} />
          <span className="rail-name cut">{name}</span>
          {open > 0 && (
            <span className="rail-open">
              <Icon name="inbox" size={12} />
              {open}
              <span className="visually-hidden">
                {open === 1 ? ' open request' : ' open requests'}
              </span>
            </span>
          )}
        </span>
        <span className="rail-facts">
          <ServerState state={state} />
          {session && <span className="mono">{session.revision}</span>}
          {isConnected(server) && lastLatencyMs !== undefined && (
            <span className="rail-latency">{formatMs(lastLatencyMs)}</span>
          )}
        </span>
      </button>
      {state === 'unauthorized' && (
        <Button
          className="rail-sign-in"
          variant="light"
          size="compact-xs"
          aria-label={`Sign in to ${name}`}
          onClick={() => signIn(name)}
        >
          Sign in
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon className="rail-more" aria-label={`What to do with ${name}`}>
            <Icon name="dots" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isConnected(server) || state === 'connecting' ? (
            <Menu.Item leftSection={<Icon name="stop" />} onClick={() => void disconnect(name)}>
              Disconnect
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Icon name="plug" />} onClick={() => connect(server)}>
              Connect
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<Icon name="refresh" />}
            disabled={state === 'blocked'}
            onClick={() => void restart(name)}
          >
            Restart
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="list" />} onClick={() => showServer(name, 'logs')}>
            Logs
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="gear" />}
            onClick={() => openDialog({ kind: 'settings', server: name })}
          >
            Settings
          </Menu.Item>
          {server.source === undefined && (
            <Menu.Item
              leftSection={<Icon name="wrench" />}
              onClick={() => openDialog({ kind: 'edit', server: name })}
            >
              Edit
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="copy" />} onClick={() => void clone(name)}>
            Duplicate
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<Icon name="trash" />}
            onClick={() => openDialog({ kind: 'remove', server: name })}
          >
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
