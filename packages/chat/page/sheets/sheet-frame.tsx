import { Icon, type IconName } from '@parley/page/icons'
import {
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'

export interface SheetFrameProps {
  readonly icon: IconName
  readonly title: ReactNode
  readonly children: ReactNode
  /** The buttons. The one with `data-safe` gets the focus: it changes nothing. */
  readonly buttons: ReactNode
  /** Escape, which always means no. */
  readonly onEscape: () => void
  /** Single letters, outside of fields. */
  readonly keys?: { readonly [letter: string]: () => void } | undefined
  /** Ctrl+Enter, which nobody presses by accident. */
  readonly onSubmit?: (() => void) | undefined
  /** Beside the title: what concerns the whole question. */
  readonly tags?: ReactNode
}

/** Keys that were meant for something else a moment ago are not an answer. */
const deafMs = 600

/**
 * A question in the thread. The focus goes to its safe answer, unless somebody is writing; Enter there says no, and so does
 * Escape. Saying yes takes a press on its button, a letter that stands beside it, or Ctrl+Enter.
 */
export function SheetFrame(props: SheetFrameProps): ReactElement {
  const { icon, title, children, buttons, onEscape, keys = {}, onSubmit, tags } = props
  const frame = useRef<HTMLElement>(null)
  const titleId = useId()
  const shownAt = useRef(Number.POSITIVE_INFINITY)

  // Before it is gone, so that the focus is still in it.
  useLayoutEffect(() => {
    shownAt.current = performance.now()
    const own = frame.current
    own?.scrollIntoView({ block: 'nearest' })
    if (!isWriting(document.activeElement)) {
      own?.querySelector<HTMLElement>('[data-safe]')?.focus({ preventScroll: true })
    }
    return () => {
      if (own?.contains(document.activeElement)) {
        document.querySelector<HTMLElement>('[data-composer]')?.focus({ preventScroll: true })
      }
    }
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.altKey) return
    // Keys of an open menu are no answer; it lies elsewhere in the document, and the button that opened it is here.
    if (!(event.target instanceof Node) || frame.current?.contains(event.target) !== true) return
    if (frame.current.querySelector('[aria-haspopup=menu][aria-expanded=true]') !== null) return
    const isCommand = event.ctrlKey || event.metaKey
    const act =
      event.key === 'Escape' && !isCommand
        ? onEscape
        : event.key === 'Enter' && isCommand
          ? onSubmit
          : isCommand || isField(event.target)
            ? undefined
            : keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    if (!event.repeat && performance.now() - shownAt.current > deafMs) act()
  }

  return (
    <section
      className="sheet"
      ref={frame}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <h2 className="sheet-title" id={titleId}>
        <Icon name={icon} size={16} /> <span className="wrap">{title}</span> {tags}
      </h2>
      <div className="sheet-body">{children}</div>
      <div className="sheet-buttons">{buttons}</div>
    </section>
  )
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select, [role=combobox]')
}

/** Whoever has begun a text keeps the focus. */
function isWriting(active: Element | null): boolean {
  const isText = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement
  return isText && active.value !== ''
}
