import { Button } from '@mantine/core'
import { formatMs, showProblem } from '@parley/page/parts'
import { useMemo, useState, type ReactElement } from 'react'

import { estimateTokens } from '../../src/lint/finding.ts'
import type { ServerView, SessionView, Warning } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import type { ListItem } from '../lists.ts'

export interface FactsProps {
  readonly server: ServerView
  readonly session: SessionView
  readonly tools: readonly ListItem[]
  readonly warnings: readonly Warning[] | undefined
}

/** The revision and why, the transport, the latency, and what the tools cost in context. */
export function Facts({ server, session, tools, warnings }: FactsProps): ReactElement {
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
      {warnings !== undefined && <Issues warnings={warnings} />}
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

/** How much is worth a look, and in how many tools. */
function Issues({ warnings }: { readonly warnings: readonly Warning[] }): ReactElement {
  const count = warnings.reduce((sum, { count: same = 1 }) => sum + same, 0)
  const tools = new Set(
    warnings.flatMap(({ kind, about, others = [] }) => (kind === 'tool' ? [about, ...others] : [])),
  ).size
  const where = tools === 0 ? '' : ` in ${tools} ${tools === 1 ? 'tool' : 'tools'}`
  return (
    <div className="fact">
      <dt>Issues</dt>
      <dd>{count === 0 ? 'None' : `${count}${where}`}</dd>
      {count > 0 && (
        <dd className="fact-more">
          <Button
            variant="subtle"
            size="compact-xs"
            ml={-7}
            onClick={() => {
              const section = document.querySelector<HTMLElement>('#warnings')
              section?.scrollIntoView()
              section?.focus({ preventScroll: true })
            }}
          >
            Show them
          </Button>
        </dd>
      )}
    </div>
  )
}

function show(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms)
}
