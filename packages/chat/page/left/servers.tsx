import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { openSettings } from '@parley/page/shell'
import type { ReactElement } from 'react'

import { serverLooks } from '../servers/server-looks.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** The servers at the foot of the rail: a dot for the state, words where it is not ready. The settings have the rest. */
export function Servers(): ReactElement {
  const servers = useStore((store) => store.servers)
  const canSetUp = useStore((store) => store.canSetUp)
  return (
    <section className="rail-foot" aria-label="Servers">
      <div className="row">
        <h2 className="rail-title grow">Servers</h2>
        {canSetUp && (
          <Tooltip label="Add a server">
            <ActionIcon size={28} aria-label="Add a server" onClick={() => openSettings('servers')}>
              <Icon name="plus" size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {servers.map(({ name, state, error, tools }) => {
        const { word, tone } = serverLooks[state]
        return (
          <button
            key={name}
            type="button"
            className="nav"
            title={error === undefined ? word : visible(error)}
            onClick={() => openSettings('servers')}
          >
            <span className="dot" data-tone={tone} />
            <span className="cut grow">{visible(name)}</span>
            {state === 'ready' ? (
              <span className="count">
                {tools.length} <span className="visually-hidden">tools, ready</span>
              </span>
            ) : (
              <span className="count" data-tone={tone}>
                {word}
              </span>
            )}
          </button>
        )
      })}
      {servers.length === 0 && <p className="quiet rail-none">None yet</p>}
    </section>
  )
}
