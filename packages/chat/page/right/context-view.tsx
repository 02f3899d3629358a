import { Progress } from '@mantine/core'
import { DataTable } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { shareSent, useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { Attached } from './attached.tsx'

/** How much of the model's window servers take, as estimated. */
export function ContextView(): ReactElement {
  const meter = useStore((store) => store.meter)
  const { windowTokens, servers, definitionsSent, definitionsOfAll, hostDefinitions } = meter
  const share = shareSent(meter)
  return (
    <div className="right-part">
      <Attached />
      <p>
        Tool definitions and instructions take about{' '}
        <strong>{tokens(definitionsSent + meter.instructions)}</strong> of {tokens(windowTokens)}{' '}
        tokens ({percent(share)}).
        {definitionsOfAll > definitionsSent &&
          ` With all definitions it would be ${tokens(definitionsOfAll + meter.instructions)}.`}
      </p>
      <Progress value={Math.min(100, share * 100)} size="sm" aria-label="Share of the window" />
      <DataTable
        label="Context by server"
        columns={[
          'Server',
          right('Tools'),
          right('Definitions'),
          right('Instructions'),
          right('Results'),
        ]}
      >
        {servers.map(({ server, tools, definitions, instructions, results }) => (
          <tr key={server}>
            <td>{visible(server)}</td>
            <td className="number">{tools}</td>
            <td className="number">{tokens(definitions)}</td>
            <td className="number">{tokens(instructions)}</td>
            <td className="number">{tokens(results)}</td>
          </tr>
        ))}
        {hostDefinitions > 0 && (
          <tr>
            <td>Parley: tools that search and read</td>
            <td />
            <td className="number">{tokens(hostDefinitions)}</td>
          </tr>
        )}
      </DataTable>
      <p className="quiet">In tokens, estimated by size; providers count differently.</p>
    </div>
  )
}

function right(title: string) {
  return { title, align: 'right' } as const
}

function tokens(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : `${(count / 1000).toFixed(0)} k`
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`
}
