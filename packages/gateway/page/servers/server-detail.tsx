import { Button } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { formatMoment } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Confirm } from '../parts/confirm.tsx'
import { MetricList } from '../parts/figures.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { StateReason, StateTag } from '../parts/server-state.tsx'
import { showServer } from '../view.ts'
import { Children } from './children.tsx'
import { Offers } from './offers.tsx'

type Action = 'restart' | 'stop' | 'drain' | 'start'

const texts: { readonly [Name in Action]: { readonly word: string; readonly says: string } } = {
  restart: {
    word: 'Restart',
    says: 'All connections to it are closed at once, and calls under way fail. It is then restarted.',
  },
  stop: {
    word: 'Stop now',
    says: 'All connections to it are closed at once, and calls under way fail. It stays stopped until somebody starts it.',
  },
  drain: {
    word: 'Drain',
    says: 'It gets no more calls. Those under way may finish for up to a minute; then it is stopped, until somebody starts it.',
  },
  start: { word: 'Start', says: 'It is started, and what it offers is listed again.' },
}

/** One server: how it is, what can be done with it, its processes, and what it offers. */
export function ServerDetail({ server }: { readonly server: ServerView }): ReactElement {
  const [action, setAction] = useState<Action>()
  const { name, state, kind, where, mode, info, metrics, connections, maxConnections } = server
  const actions: readonly Action[] =
    state.state === 'disabled' ? ['start'] : ['restart', 'drain', 'stop']
  return (
    <div className="view">
      <div className="row view-head">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="chevronLeft" size={14} />}
          onClick={() => showServer(undefined)}
        >
          All servers
        </Button>
        <h2 className="cut">{name}</h2>
        <StateTag state={state} />
        <span className="grow" />
        <div className="row wrap-row">
          {actions.map((each) => (
            <Button key={each} size="compact-sm" variant="default" onClick={() => setAction(each)}>
              {texts[each].word}
            </Button>
          ))}
        </div>
      </div>
      <StateReason state={state} />
      <section className="card" aria-label="About the server">
        <dl className="facts">
          <dt>{kind === 'command' ? 'Command' : 'Address'}</dt>
          <dd className="mono wrap">{where}</dd>
          <dt>Says it is</dt>
          <dd>{info ? <PlainText text={`${info.name} ${info.version}`} /> : 'nothing yet'}</dd>
          <dt>State since</dt>
          <dd>{formatMoment(state.since)}</dd>
          <dt>Connections</dt>
          <dd>
            {connections} of {maxConnections}, {modes[mode] ?? mode}
          </dd>
        </dl>
        <MetricList metrics={metrics} />
      </section>
      {kind === 'command' && <Children server={server} />}
      <Offers name={name} counts={server.counts} />
      {action && (
        <Confirm
          title={`${texts[action].word} ${name}`}
          word={texts[action].word}
          isDangerous={action === 'stop'}
          onConfirm={() => openChannel().ask('servers/act', { name, action })}
          onClose={() => setAction(undefined)}
        >
          {texts[action].says}
        </Confirm>
      )}
    </div>
  )
}

const modes: { readonly [mode: string]: string } = {
  'per-session': 'one for each session of a client',
  'per-user': 'one for each user',
  shared: 'shared by everybody',
}
