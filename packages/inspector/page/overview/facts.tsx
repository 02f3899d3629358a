import { Button } from '@mantine/core'
import { formatMs, showProblem } from '@parley/page/parts'
import { useMemo, useState, type ReactElement } from 'react'

import { estimateTokens } from '../../src/lint/finding.ts'
import type { ServerView, SessionView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import type { ListItem } from '../lists.ts'

export interface FactsProps {
  readonly server: ServerView
  readonly session: SessionView
  readonly tools: readonly ListItem[]
}

/** The revision and why, the transport, the latency, and what the tools cost in context. */
export function Facts({ server, session, tools }: FactsProps): ReactElement {
  const [pingMs, setPingMs] = useState<number>()
  const tokens = useMemo(() => estimateTokens(tools), [tools])

  async function ping() {
    try {
      setPingMs((await openChannel().ask('ping', { server: server.name })).ms)
    } catch (error) {
      showProblem(error, 'No answer to the ping')
    }
  }

  return (
    <dl className="facts">
      <div className="fact fact-wide">
        <dt>Revision</dt>
        <dd>{session.revision}</dd>
        <dd className="fact-more">{session.why}</dd>
      </div>
      <div className="fact">
        <dt>Transport</dt>
        <dd>{session.transport}</dd>
        <dd className="fact-more">{server.source ?? 'added in the page'}</dd>
      </div>
      <div className="fact">
        <dt>Latency</dt>
        <dd>{show(pingMs ?? server.lastLatencyMs)}</dd>
        <dd className="fact-more">
          <Button variant="subtle" size="compact-xs" ml={-7} onClick={() => void ping()}>
            Ping
          </Button>
        </dd>
      </div>
      <div className="fact">
        <dt>Tools in context</dt>
        <dd>{tools.length === 0 ? '–' : `≈ ${tokens.toLocaleString('en')} tokens`}</dd>
        <dd className="fact-more">{tools.length} tools, an estimate</dd>
      </div>
    </dl>
  )
}

function show(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms)
}
