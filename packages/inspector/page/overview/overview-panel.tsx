import { Button } from '@mantine/core'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { recordOf, textOf } from '@parley/page/json'
import { ProblemNote, RichText } from '@parley/page/parts'
import { LoadPeerIcon, PeerIcon } from '@parley/page/peer-icons'
import type { ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { isConnected, isKnown, useList } from '../lists.ts'
import { NotConnected } from '../parts/list-frame.tsx'
import { DiagnoseButton } from '../shell/servers/diagnosis.tsx'
import { connect } from '../shell/servers/server-actions.ts'
import { ServerState } from '../shell/servers/server-state.tsx'
import { openDialog } from '../view.ts'
import { Capabilities } from './capabilities.tsx'
import { Facts } from './facts.tsx'
import { HostProfiles } from './host-profiles.tsx'
import { ServerCard } from './server-card.tsx'
import { ServerWarnings, useWarnings } from './server-warnings.tsx'

import './overview.css'

/** Who the server is, what was agreed and why, and what is worth a look. */
export function OverviewPanel({ server }: { readonly server: ServerView }): ReactElement {
  const { session, problem, entry } = server
  const tools = useList(server, 'tools')
  const warnings = useWarnings(server)
  const info = recordOf(session?.server.info)
  return (
    <div className="panel-scroll" data-list tabIndex={0} role="region" aria-label="Overview">
      <div className="stack">
        <div className="overview-head">
          <PeerIcon server={server.name} icons={info['icons']} size={36} />
          <div className="grow">
            <h2 className="cut">{textOf(info['title']) ?? textOf(info['name']) ?? server.name}</h2>
            <div className="row wrap-row">
              <ServerState state={server.state} />
              {textOf(info['version']) !== undefined && (
                <span className="quiet">version {textOf(info['version'])}</span>
              )}
              <code className="mono quiet wrap">{describeEntry(entry)}</code>
              <LoadPeerIcon server={server.name} icons={info['icons']} />
            </div>
          </div>
          <Button
            variant="default"
            leftSection={<Icon name="gear" size={15} />}
            onClick={() => openDialog({ kind: 'settings', server: server.name })}
          >
            Server settings
          </Button>
        </div>
        {server.state === 'unauthorized' && <NotConnected server={server} icon="key" />}
        {problem && server.state !== 'unauthorized' && (!session || isConnected(server)) && (
          <ProblemNote
            problem={problem}
            title={
              server.state === 'failed' ? 'The server could not be reached' : 'Something went wrong'
            }
            retry={() => connect(server)}
            action={
              <>
                <DiagnoseButton server={server} />
                {server.source === undefined && server.state === 'failed' && (
                  <Button
                    variant="default"
                    size="xs"
                    onClick={() => openDialog({ kind: 'edit', server: server.name })}
                  >
                    {'command' in entry ? 'Edit command' : 'Edit address'}
                  </Button>
                )}
              </>
            }
          />
        )}
        {!isKnown(server) && !problem && <NotConnected server={server} icon="info" />}
        {session && (
          <>
            <Facts server={server} session={session} tools={tools.items} warnings={warnings} />
            <ServerCard server={server} />
            <ServerWarnings server={server} warnings={warnings} />
            <div className="sides">
              <section className="card" aria-label="What we requested">
                <div className="card-head">
                  <Icon name="monitor" size={15} />
                  <h3>We asked</h3>
                </div>
                <div className="card-body">
                  <JsonTree
                    value={{ revision: server.settings.era, ...session.client }}
                    label="What we offered"
                  />
                </div>
              </section>
              <section className="card" aria-label="What the server answered">
                <div className="card-head">
                  <Icon name="server" size={15} />
                  <h3>The server answered</h3>
                </div>
                <div className="card-body">
                  <JsonTree
                    value={{
                      revision: session.revision,
                      info: session.server.info,
                      capabilities: session.server.capabilities,
                    }}
                    label="What the server said"
                  />
                </div>
              </section>
            </div>
            <Capabilities session={session} />
            {session.server.instructions !== undefined && (
              <section className="card" aria-label="Instructions">
                <div className="card-head">
                  <Icon name="message" size={15} />
                  <h3>Instructions</h3>
                  <span className="count">{session.server.instructions.length} characters</span>
                </div>
                <div className="card-body">
                  <RichText text={session.server.instructions} limit={1500} className="prose" />
                </div>
              </section>
            )}
            <HostProfiles server={server} />
          </>
        )}
      </div>
    </div>
  )
}

function describeEntry(entry: ServerView['entry']): string {
  if ('url' in entry) return entry.url
  return [entry.command, ...(entry.args ?? [])].join(' ')
}
