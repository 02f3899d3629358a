import { useEffect, useState, type ReactElement } from 'react'

import type { ServerView, Warning } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { Icon } from '../icons.tsx'
import { isConnected } from '../lists.ts'
import { Tag } from '../parts/tag.tsx'

const tones = { info: 'info', warning: 'warning', error: 'bad' } as const
const shownAtFirst = 6

/** What is worth a look: names twice, descriptions missing, schemas that no model takes. */
export function ServerWarnings({ server }: { readonly server: ServerView }): ReactElement | null {
  const [warnings, setWarnings] = useState<readonly Warning[]>()
  const [isAll, setIsAll] = useState(false)
  const { name } = server
  const isReady = isConnected(server)

  useEffect(() => {
    if (!isReady) return undefined
    const channel = openChannel()
    const load = () =>
      void channel.ask('servers/warnings', { name }).then(setWarnings, () => setWarnings(undefined))
    load()
    return channel.on('lists/changed', (changed) => {
      if (changed.server === name) load()
    })
  }, [name, isReady])

  if (warnings === undefined) return null
  const shown = isAll ? warnings : warnings.slice(0, shownAtFirst)
  return (
    <section className="card" aria-label="Warnings">
      <div className="card-head">
        <Icon name={warnings.length === 0 ? 'check' : 'alert'} size={15} />
        <h3>{warnings.length === 0 ? 'Nothing to warn about' : 'Worth a look'}</h3>
        {warnings.length > 0 && <span className="count">{warnings.length}</span>}
      </div>
      {warnings.length > 0 && (
        <ul className="warnings">
          {shown.map(({ level, about, message, hint }) => (
            <li key={`${about} ${message}`}>
              <Tag tone={tones[level]}>{level}</Tag>
              <div className="grow">
                <code className="code-inline">{about}</code> {message}
                {hint !== undefined && <div className="hint">{hint}</div>}
              </div>
            </li>
          ))}
          {warnings.length > shown.length && (
            <li>
              <button type="button" className="link-button" onClick={() => setIsAll(true)}>
                Show {warnings.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
