import { Icon } from '@parley/page/icons'
import { DataTable, SafeLink, Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { Methods, ServerView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { isConnected } from '../lists.ts'

type Profiles = Methods['servers/profiles']['result']

/** What this server loses in each host application we know of, with where we know it from. */
export function HostProfiles({ server }: { readonly server: ServerView }): ReactElement | null {
  const [profiles, setProfiles] = useState<Profiles>([])
  const { name } = server
  const isReady = isConnected(server)

  useEffect(() => {
    if (!isReady) return
    openChannel()
      .ask('servers/profiles', { name })
      .then(setProfiles, () => setProfiles([]))
  }, [name, isReady])

  if (profiles.length === 0) return null
  return (
    <section className="card" aria-label="In host applications">
      <div className="card-head">
        <Icon name="monitor" size={15} />
        <h3>In host applications</h3>
      </div>
      <DataTable label="What hosts lose" columns={['Host', 'This server loses']}>
        {profiles.map(({ host, loses, sources }) => (
          <tr key={host}>
            <th scope="row">{host}</th>
            <td>
              {loses.length === 0 ? (
                <>
                  <Tag tone="good" icon="check">
                    nothing known
                  </Tag>
                  {sources.map((source) => (
                    <SourceText key={source.url} {...source} />
                  ))}
                </>
              ) : (
                <ul className="loses">
                  {loses.map(({ what, url, date }) => (
                    <li key={what}>
                      {what}
                      <SourceText url={url} date={date} />
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  )
}

/** Who says so, and of when that is. */
function SourceText({ url, date }: { readonly url: string; readonly date: string }) {
  return (
    <div className="source">
      <SafeLink url={url} /> <span className="quiet">{date}</span>
    </div>
  )
}
