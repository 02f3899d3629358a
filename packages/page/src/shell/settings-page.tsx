import { NativeSelect, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef, type ReactElement, type ReactNode } from 'react'

import { Icon, type IconName } from '../icons.tsx'
import { FormRow, FormRows } from '../parts/form-row.tsx'
import { useProgram } from '../theme/program.ts'
import { setFlag, useFlags } from './flags.ts'
import { KeyGroups } from './key-list.tsx'
import type { KeyGroup } from './key-table.ts'
import { closeSettings, useShellState } from './place.ts'

/** A part of the settings page. */
export interface SettingsSection {
  readonly id: string
  readonly title: string
  readonly icon: IconName
  /** One sentence below the title. */
  readonly about?: ReactNode
  /** Beside the name in the rail: something that needs attention. */
  readonly note?: string | undefined
  readonly content: ReactNode
}

export interface SettingsPageProps {
  readonly sections: readonly SettingsSection[]
  readonly keys: readonly KeyGroup[]
}

/** The settings of a program: a rail of sections, and all of them on one page that scrolls. */
export function SettingsPage({ sections, keys }: SettingsPageProps): ReactElement {
  const title = useRef<HTMLHeadingElement>(null)
  const { title: program } = useProgram()
  const asked = useShellState((place) => place.section)
  useEffect(() => {
    if (asked === undefined) title.current?.focus({ preventScroll: true })
    else show(asked)
  }, [asked])
  const all: readonly SettingsSection[] = [
    ...sections.filter(({ id }) => id !== 'data'),
    { id: 'appearance', title: 'Appearance', icon: 'half', content: <Appearance /> },
    ...sections.filter(({ id }) => id === 'data'),
    { id: 'keys', title: 'Keyboard shortcuts', icon: 'keyboard', content: <Keys groups={keys} /> },
  ]
  return (
    <div className="shell-middle settings">
      <nav className="rail rail-frame wide-only" aria-label="Settings" data-pane>
        <div className="rail-scroll">
          <button type="button" className="nav" data-cancel onClick={closeSettings}>
            <Icon name="chevronLeft" /> <span className="grow">Back</span>
            <kbd className="keys">Esc</kbd>
          </button>
          <h2>Settings</h2>
          {all.map(({ id, title: name, icon, note }) => (
            <button key={id} type="button" className="nav" onClick={() => show(id)}>
              <Icon name={icon} /> <span className="grow cut">{name}</span>
              {note !== undefined && <span className="nav-note">{note}</span>}
            </button>
          ))}
        </div>
      </nav>
      <main className="settings-main" tabIndex={-1} data-pane aria-label="Settings">
        <div className="settings-body">
          <h1 ref={title} tabIndex={-1} className="page-title">
            Settings
          </h1>
          <div className="row narrow-only settings-pick">
            <button type="button" className="nav self-start" data-cancel onClick={closeSettings}>
              <Icon name="chevronLeft" /> Back to {program}
            </button>
            <NativeSelect
              className="grow"
              aria-label="Section"
              data={all.map(({ id, title: label }) => ({ value: id, label }))}
              onChange={(event) => show(event.currentTarget.value)}
            />
          </div>
          {all.map(({ id, title: name, about, content }) => (
            <section
              key={id}
              id={`settings-${id}`}
              aria-labelledby={`settings-${id}-title`}
              tabIndex={-1}
            >
              <h2 id={`settings-${id}-title`}>{name}</h2>
              {about !== undefined && <p className="quiet settings-about">{about}</p>}
              {content}
            </section>
          ))}
        </div>
      </main>
    </div>
  )
}

function show(id: string): void {
  const section = document.querySelector<HTMLElement>(`#settings-${CSS.escape(id)}`)
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

function Appearance(): ReactElement {
  const isCompact = useFlags((flags) => flags.isCompact)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <FormRows>
      <FormRow title="Colours">
        <SegmentedControl
          aria-label="Colours"
          value={colorScheme}
          onChange={setColorScheme}
          data={[
            { value: 'auto', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </FormRow>
      <FormRow title="Density">
        <SegmentedControl
          aria-label="Density"
          value={isCompact ? 'compact' : 'comfortable'}
          onChange={(value) => setFlag('isCompact', value === 'compact')}
          data={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
        />
      </FormRow>
    </FormRows>
  )
}

function Keys({ groups }: { readonly groups: readonly KeyGroup[] }): ReactElement {
  const hasLetterKeys = useFlags((flags) => flags.hasLetterKeys)
  return (
    <>
      <FormRows>
        <FormRow title="Single-letter keys" about="They are always off while you type in a field.">
          <Switch
            aria-label="Single-letter keys"
            checked={hasLetterKeys}
            onChange={(event) => setFlag('hasLetterKeys', event.currentTarget.checked)}
          />
        </FormRow>
      </FormRows>
      <KeyGroups groups={groups} />
    </>
  )
}
