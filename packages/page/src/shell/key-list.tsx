import { Modal, Switch } from '@mantine/core'
import type { ReactElement } from 'react'

import { keyGroups } from '../key-table.ts'
import { closeDialog, setFlag, useView } from '../view.ts'

/** Every key, and the switch for the single letters. */
export function KeyList(): ReactElement {
  const hasLetterKeys = useView((view) => view.hasLetterKeys)
  return (
    <Modal opened onClose={closeDialog} title="Keys" size="xl">
      <Switch
        label="Single-letter keys"
        description="They are always off while you type in a field."
        checked={hasLetterKeys}
        onChange={(event) => setFlag('hasLetterKeys', event.currentTarget.checked)}
      />
      <div className="key-groups">
        {keyGroups.map(({ title, rows }) => (
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
