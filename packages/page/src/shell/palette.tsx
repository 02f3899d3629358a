import { Modal } from '@mantine/core'
import { useEffect, useId, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react'

import { Icon, type IconName } from '../icons.tsx'
import { findInPalette, type Findable, type Found } from './find-in-palette.ts'
import { readText, keepText } from './flags.ts'
import { closeOver, useShellState } from './place.ts'

/** A command, or something to go to. */
export interface PaletteItem extends Findable {
  readonly icon: IconName
  /** Its key: `Ctrl ,`. */
  readonly keys?: string | undefined
  readonly run: () => void
}

/** Things of one kind in the palette. */
export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

export interface PaletteProps {
  readonly groups: readonly PaletteGroup[]
  readonly placeholder?: string
}

const recentName = 'recent-commands'
const maxRemembered = 20

/** Everything by name: `Ctrl K` or `⌘ K`. Its size does not depend on what is found. */
export function Palette({ groups, placeholder }: PaletteProps): ReactElement {
  const isOpen = useShellState(({ over }) => over === 'palette')
  return (
    <Modal.Root
      opened={isOpen}
      onClose={closeOver}
      size={640}
      centered={false}
      yOffset="15vh"
      xOffset={12}
      radius={14}
      returnFocus={false}
    >
      <Modal.Overlay blur={0} backgroundOpacity={1} color="var(--overlay)" />
      <Modal.Content aria-label="Palette">
        <div className="palette">
          {isOpen && <Lines groups={groups} placeholder={placeholder} />}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

function Lines({
  groups,
  placeholder = 'Search or run a command',
}: {
  readonly groups: readonly PaletteGroup[]
  readonly placeholder?: string | undefined
}): ReactElement {
  const id = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const [recent] = useState(readRecent)
  const shown = useMemo(() => findInPalette(groups, query, recent), [groups, query, recent])
  const lines = shown.flatMap(({ found }) => found)
  const chosen = lines[Math.min(active, lines.length - 1)]

  useEffect(() => {
    document.querySelector(`#${CSS.escape(id)} [aria-selected=true]`)?.scrollIntoView({
      block: 'nearest',
    })
  }, [id, chosen])

  function run({ item }: Found<PaletteItem>) {
    keepRecent([item.id, ...recent.filter((candidate) => candidate !== item.id)])
    closeOver()
    item.run()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 8,
      PageUp: -8,
    }
    const step = steps[event.key]
    if (step !== undefined && lines.length > 0) {
      const next = active + step
      const isAround = Math.abs(step) === 1
      setActive(
        isAround
          ? (next + lines.length) % lines.length
          : Math.max(0, Math.min(lines.length - 1, next)),
      )
    } else if (event.key === 'Enter' && chosen !== undefined) run(chosen)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="palette-field">
        <Icon name="search" size={18} />
        <input
          data-autofocus
          className="palette-input"
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={chosen && `${id}-${lines.indexOf(chosen)}`}
          aria-label="Search everything"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={query}
          onChange={({ currentTarget: { value } }) => {
            setQuery(value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className="keys wide-only">Esc</kbd>
      </div>
      <div className="palette-list" id={id} role="listbox" aria-label="Results" tabIndex={-1}>
        {shown.map(({ title, found }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="palette-group" aria-hidden>
              {title}
            </div>
            {found.map((entry) => {
              const at = lines.indexOf(entry)
              const { item } = entry
              return (
                <div
                  key={item.id}
                  id={`${id}-${at}`}
                  className="palette-item"
                  role="option"
                  aria-selected={entry === chosen}
                  onPointerMove={() => setActive(at)}
                  onClick={() => run(entry)}
                >
                  <Icon name={item.icon} size={16} />
                  <span className="palette-label cut">{marked(entry)}</span>
                  {item.description !== undefined && (
                    <span className="palette-where cut">{item.description}</span>
                  )}
                  {item.keys !== undefined && <kbd className="keys">{item.keys}</kbd>}
                </div>
              )
            })}
          </div>
        ))}
        {lines.length === 0 && <p className="palette-none">Nothing matches “{query}”.</p>}
      </div>
      <div className="palette-foot" aria-hidden>
        <span>
          <kbd className="keys">↑</kbd> <kbd className="keys">↓</kbd> choose
        </span>
        <span>
          <kbd className="keys">↵</kbd> open
        </span>
      </div>
    </>
  )
}

function marked({ item: { label }, marks }: Found<PaletteItem>): ReactElement[] {
  const parts: ReactElement[] = []
  let from = 0
  for (const [start, end] of marks) {
    parts.push(<span key={from}>{label.slice(from, start)}</span>)
    parts.push(<mark key={`m${start}`}>{label.slice(start, end)}</mark>)
    from = end
  }
  return [...parts, <span key={from}>{label.slice(from)}</span>]
}

function readRecent(): readonly string[] {
  return (readText(recentName) ?? '').split('\n').filter(Boolean)
}

function keepRecent(ids: readonly string[]): void {
  keepText(recentName, ids.slice(0, maxRemembered).join('\n'))
}
