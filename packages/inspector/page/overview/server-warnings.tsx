import { Icon } from '@parley/page/icons'
import { Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { ServerView, Warning } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { isConnected } from '../lists.ts'
import { DiagnoseButton } from '../shell/servers/diagnosis.tsx'
import { pick } from '../view.ts'

const tones = { info: 'info', warning: 'warning', error: 'bad' } as const
const shownAtFirst = 6

/** What the service has found at a server; undefined until it has looked. */
export function useWarnings(server: ServerView): readonly Warning[] | undefined {
  const [warnings, setWarnings] = useState<readonly Warning[]>()
  const { name, noise } = server
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
  }, [name, isReady, noise?.count])
  return warnings
}

/** What is worth a look: names twice, descriptions missing, schemas that no model takes. */
export function ServerWarnings(props: {
  readonly server: ServerView
  readonly warnings: readonly Warning[] | undefined
}): ReactElement | null {
  const { server, warnings } = props
  const [isAll, setIsAll] = useState(false)
  const { name, noise } = server
  if (warnings === undefined) return null
  const shown = isAll ? warnings : warnings.slice(0, shownAtFirst)
  return (
    <section className="card" aria-label="Warnings" id="warnings" tabIndex={-1}>
      <div className="card-head">
        <Icon name={warnings.length === 0 ? 'check' : 'alert'} size={15} />
        <h3>{warnings.length === 0 ? 'No warnings' : 'Warnings'}</h3>
        {warnings.length > 0 && <span className="count">{warnings.length}</span>}
      </div>
      {warnings.length > 0 && (
        <ul className="warnings">
          {shown.map((warning) => (
            <li key={`${warning.about} ${warning.message}`}>
              <Tag tone={tones[warning.level]}>{warning.level}</Tag>
              <WarningText warning={warning} server={name} />
              {warning.about === 'stdout' && noise && <DiagnoseButton server={server} />}
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

/** What it is about, where, and what to write instead. */
function WarningText({ warning, server }: { readonly warning: Warning; readonly server: string }) {
  const { about, kind, message, detail, hint, pointer, others = [], count = 1 } = warning
  const name = (item: string) => <ItemName key={item} name={item} kind={kind} server={server} />
  return (
    <div className="grow">
      {name(about)} {message} {detail !== undefined && <span className="quiet">({detail})</span>}{' '}
      {pointer !== undefined && <code className="mono quiet wrap">{pointer}</code>}
      {hint !== undefined && <div className="hint">{hint}</div>}
      {count > 1 && (
        <details className="same-remark">
          <summary>and {(count - 1).toLocaleString('en')} more with the same</summary>
          <div className="row wrap-row">
            {others.map(name)}
            {count - 1 > others.length && <span className="quiet">…</span>}
          </div>
        </details>
      )}
    </div>
  )
}

function ItemName(props: {
  readonly name: string
  readonly kind: Warning['kind']
  readonly server: string
}) {
  const { name, kind, server } = props
  const code = <code className="code-inline">{name}</code>
  if (kind !== 'tool') return code
  return (
    <button type="button" className="link-button" onClick={() => pick(server, 'tools', name)}>
      {code}
    </button>
  )
}
