import { Modal } from '@mantine/core'
import type { ReactElement } from 'react'

import type { KeyGroup } from './key-table.ts'

export interface KeyListProps {
  readonly groups: readonly KeyGroup[]
  readonly onClose: () => void
}

/** Every key of the page. */
export function KeyList({ groups, onClose }: KeyListProps): ReactElement {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="xl">
      <KeyGroups groups={groups} />
    </Modal>
  )
}

/** The keys in groups, by where they work. */
export function KeyGroups({ groups }: Pick<KeyListProps, 'groups'>): ReactElement {
  return (
    <div className="key-groups">
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl className="key-list">
            {rows.map(({ keys, does }) => (
              <div key={does} className="key-row">
                <dt>{does}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key} className="keys">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
