import { isJsonObject } from '@parley/mcp/json'
import { Icon } from '@parley/page/icons'
import type { ReactElement } from 'react'

import type { SessionView } from '../../src/protocol/index.ts'

const serverRows = ['tools', 'resources', 'prompts', 'completions', 'logging', 'tasks']
const clientRows = ['elicitation', 'sampling', 'roots', 'tasks']

/** What each side can do, as a matrix; what is declared beyond the usual is listed too. */
export function Capabilities({ session }: { readonly session: SessionView }): ReactElement {
  return (
    <div className="sides">
      <Side title="Server capabilities" known={serverRows} declared={session.server.capabilities} />
      <Side title="Client capabilities" known={clientRows} declared={session.client.capabilities} />
    </div>
  )
}

function Side({
  title,
  known,
  declared,
}: {
  readonly title: string
  readonly known: readonly string[]
  readonly declared: { readonly [name: string]: unknown }
}) {
  const names = [...known, ...Object.keys(declared).filter((name) => !known.includes(name))]
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <h3>{title}</h3>
      </div>
      <table className="table matrix">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Capability</th>
            <th scope="col">Declared</th>
            <th scope="col">With</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const has = declared[name] !== undefined
            return (
              <tr key={name} data-has={has}>
                <th scope="row">{name}</th>
                <td>
                  <span className="matrix-mark">
                    <Icon name={has ? 'check' : 'cross'} size={13} /> {has ? 'yes' : 'no'}
                  </span>
                </td>
                <td className="mono wrap">{membersOf(declared[name])}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function membersOf(capability: unknown): string {
  if (!isJsonObject(capability)) return ''
  return Object.entries(capability)
    .filter(([, value]) => value !== false)
    .map(([name]) => name)
    .join(', ')
}
