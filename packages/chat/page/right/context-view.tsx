import { Checkbox, Progress } from '@mantine/core'
import { keepFlag, readFlag } from '@parley/page/shell'
import { useState, type ReactElement } from 'react'

import { importantFlag } from '../composer/important.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { Attached } from './attached.tsx'

/** How much of the model's window servers take, as estimated. */
export function ContextView(): ReactElement {
  const { windowTokens, servers, definitionsSent, definitionsOfAll } = useStore(
    (store) => store.meter,
  )
  const [isAttaching, setIsAttaching] = useState(() => readFlag(importantFlag, false))
  const share = windowTokens === 0 ? 0 : definitionsSent / windowTokens
  return (
    <div className="right-part">
      <Attached />
      <p>
        Tool definitions take about <strong>{tokens(definitionsSent)}</strong> of{' '}
        {tokens(windowTokens)} tokens ({percent(share)}).
        {definitionsOfAll > definitionsSent &&
          ` All of them would take ${tokens(definitionsOfAll)}.`}
      </p>
      <Progress value={Math.min(100, share * 100)} size="sm" aria-label="Share of the window" />
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Context by server">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Tools</th>
              <th scope="col">Definitions</th>
              <th scope="col">Results</th>
            </tr>
          </thead>
          <tbody>
            {servers.map(({ server, tools, definitions, instructions, results }) => (
              <tr key={server}>
                <td className="wrap">{visible(server)}</td>
                <td className="number">{tools}</td>
                <td className="number">{tokens(definitions + instructions)}</td>
                <td className="number">{tokens(results)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet">In tokens, estimated by size; providers count differently.</p>
      <Checkbox
        label="Attach resources that a server calls important to new conversations"
        description="They are shown before you send, and you can take them out."
        checked={isAttaching}
        onChange={({ currentTarget: { checked } }) => {
          setIsAttaching(checked)
          keepFlag(importantFlag, checked)
        }}
      />
    </div>
  )
}

function tokens(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : `${(count / 1000).toFixed(0)} k`
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`
}
