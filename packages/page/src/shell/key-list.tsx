import { Modal, Switch } from '@mantine/core'
import type { ReactElement } from 'react'

import { setFlag, useFlags } from './flags.ts'
import type { KeyGroup } from './key-table.ts'

export interface KeyListProps {
  readonly groups: readonly KeyGroup[]
  readonly onClose: () => void
}

/** Every key, and the switch for the single letters. */
export function KeyList({ groups, onClose }: KeyListProps): ReactElement {
  const hasLetterKeys = useFlags((flags) => flags.hasLetterKeys)
  return (
    <Modal opened onClose={onClose} title="Keys" size="xl">
      <Switch
        label="Single-letter keys"
        description="They are always off while you type in a field."
        checked={hasLetterKeys}
        onChange={(event) => setFlag('hasLetterKeys', event.currentTarget.checked)}
      />
      <div className="key-groups">
        {groups.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl className="key-list">
              {rows.map(({ keys, does }) => (
                <div key={does} className="key-row">
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key} className="keys">
                        {key}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
