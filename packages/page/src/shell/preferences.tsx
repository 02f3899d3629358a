import { Modal, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core'
import type { ReactElement } from 'react'

import { setFlag, useFlags } from './flags.ts'

/** How the page looks and takes keys, kept on this machine. */
export function Preferences({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { isCompact, hasLetterKeys } = useFlags()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Modal opened onClose={onClose} title="Preferences">
      <div className="stack">
        <div>
          <div className="field-label" id="colours-label">
            Colours
          </div>
          <SegmentedControl
            fullWidth
            aria-labelledby="colours-label"
            value={colorScheme}
            onChange={setColorScheme}
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
              { value: 'auto', label: 'As the system' },
            ]}
          />
        </div>
        <div>
          <div className="field-label" id="density-label">
            Density
          </div>
          <SegmentedControl
            fullWidth
            aria-labelledby="density-label"
            value={isCompact ? 'compact' : 'comfortable'}
            onChange={(value) => setFlag('isCompact', value === 'compact')}
            data={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact' },
            ]}
          />
        </div>
        <Switch
          label="Single-letter keys"
          description="g, j, k, / and ? outside of fields"
          checked={hasLetterKeys}
          onChange={(event) => setFlag('hasLetterKeys', event.currentTarget.checked)}
        />
        <p className="quiet">
          Nothing is sent anywhere: no telemetry, no update check, no font or script from elsewhere.
        </p>
      </div>
    </Modal>
  )
}
