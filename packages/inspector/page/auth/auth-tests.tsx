import { Button } from '@mantine/core'
import { DataTable, problemOf, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { Methods } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'

type Test = Methods['auth/test']['params']['test']
type Verdict = Methods['auth/test']['result']

const tests: readonly { readonly test: Test; readonly title: string }[] = [
  { test: 'none', title: 'No token' },
  { test: 'garbage', title: 'Something that is not a token' },
  { test: 'expired', title: 'A token that has expired' },
  { test: 'wrong-issuer', title: 'A token of another issuer' },
  { test: 'wrong-audience', title: 'A token for another server' },
]

/** What the server says to tokens it must refuse. */
export function AuthTests({ server }: { readonly server: string }): ReactElement {
  const [verdicts, setVerdicts] = useState<{ readonly [test: string]: Verdict | string }>({})
  const [isBusy, setIsBusy] = useState(false)

  async function run(wanted: readonly Test[]) {
    setIsBusy(true)
    for (const test of wanted) {
      const verdict = await openChannel()
        .ask('auth/test', { server, test })
        .catch((error: unknown) => problemOf(error).message)
      setVerdicts((current) => ({ ...current, [test]: verdict }))
    }
    setIsBusy(false)
  }

  return (
    <section className="card" aria-label="Tests">
      <div className="card-head">
        <h2>How the server answers bad tokens</h2>
        <span className="grow" />
        <Button
          variant="default"
          size="compact-sm"
          loading={isBusy}
          onClick={() => void run(tests.map(({ test }) => test))}
        >
          Run all
        </Button>
      </div>
      <DataTable
        label="Tokens that were tried"
        columns={['Token', 'Verdict', 'Status', 'Challenge']}
      >
        {tests.map(({ test, title }) => (
          <tr key={test}>
            <th scope="row">
              <button type="button" className="link-button" onClick={() => void run([test])}>
                {title}
              </button>
            </th>
            <VerdictCells verdict={verdicts[test]} />
          </tr>
        ))}
      </DataTable>
    </section>
  )
}

function VerdictCells({ verdict }: { readonly verdict: Verdict | string | undefined }) {
  if (verdict === undefined) {
    return (
      <td colSpan={3} className="quiet">
        not run
      </td>
    )
  }
  if (typeof verdict === 'string') {
    return (
      <td colSpan={3} className="wrap">
        {verdict}
      </td>
    )
  }
  return (
    <>
      <td>
        <Tag tone={verdict.ok ? 'good' : 'bad'} icon={verdict.ok ? 'check' : 'alert'}>
          {verdict.ok ? 'right' : 'wrong'}
        </Tag>{' '}
        {verdict.verdict}
      </td>
      <td className="mono">{verdict.status}</td>
      <td className="mono wrap">{verdict.challenge ?? ''}</td>
    </>
  )
}
