import { Icon } from '@parley/page/icons'
import { Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { ServerCardView, ServerView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { isConnected } from '../lists.ts'

/** What the server says of itself before anybody connects, and whether the connection agrees. */
export function ServerCard({ server }: { readonly server: ServerView }): ReactElement | null {
  const [card, setCard] = useState<ServerCardView>()
  const { name, session } = server
  const isRequested = isConnected(server) && 'url' in server.entry

  useEffect(() => {
    setCard(undefined)
    if (!isRequested) return
    openChannel()
      .ask('servers/card', { name })
      .then(
        (found) => setCard(found.card),
        () => setCard(undefined),
      )
  }, [name, isRequested])

  if (card === undefined) return null
  const reportedVersion = session?.server.info?.['version']
  const isOther = typeof reportedVersion === 'string' && reportedVersion !== card.version
  return (
    <section className="card" aria-label="Server card">
      <div className="card-head">
        <Icon name="info" size={15} />
        <h3>Server card</h3>
      </div>
      <div className="card-body">
        <p>
          <strong>{card.name}</strong> {card.version}{' '}
          {card.isOfServer ? (
            <Tag tone="good" icon="check">
              names this address
            </Tag>
          ) : (
            <Tag tone="warning">names another address</Tag>
          )}
          {isOther && <Tag tone="warning">the server says {reportedVersion}</Tag>}
        </p>
        <p className="wrap">{card.description}</p>
        <code className="mono quiet wrap">{card.url}</code>
      </div>
    </section>
  )
}
