import { ActionIcon, Menu, Select, Textarea, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { createLoadable, Loaded, showProblem } from '@parley/page/parts'
import { openSettings } from '@parley/page/shell'
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactElement,
} from 'react'

import { channel } from '../channel.ts'
import { toggleContext, useContextOpen } from '../right/context-open.ts'
import { shareSent, show, useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { addImages } from './add-images.ts'
import { Chips } from './chips.tsx'
import { attachToDraft, changeDraft, clearDraft, inputOf, isSayable, useDraft } from './draft.ts'
import { useImportant } from './important.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { suggestionsFor, triggerAt, type Suggestion, type Trigger } from './suggestions.ts'

const changedNote = createLoadable(async () => (await import('./changed-note.tsx')).ChangedNote)
const promptSheet = createLoadable(async () => (await import('./prompt-sheet.tsx')).PromptSheet)
const templateSheet = createLoadable(
  async () => (await import('./template-sheet.tsx')).TemplateSheet,
)

/** A sheet above the field. */
type Open =
  | { readonly kind: 'prompt'; readonly suggestion: Extract<Suggestion, { kind: 'prompt' }> }
  | { readonly kind: 'template'; readonly suggestion: Extract<Suggestion, { kind: 'template' }> }

const modes = [
  { value: 'auto', label: 'As fits the model' },
  { value: 'all', label: 'All' },
  { value: 'pinned', label: 'The most used' },
  { value: 'search', label: 'Those it searches for' },
  { value: 'code', label: 'Programs that call them' },
] as const
/** No name of a model begins with a space. */
const anotherModel = ' another'

/** The field: text, prompts by `/`, resources and tools by `@`, pictures, and the model. It takes the cursor. */
export function Composer(): ReactElement {
  const draft = useDraft()
  const servers = useStore((store) => store.servers)
  const shown = useStore((store) => store.shown)
  const models = useStore((store) => store.models)
  const canSetUp = useStore((store) => store.canSetUp)
  const hasAttached = useStore((store) => store.attached.length > 0)
  const isBusy = useStore((store) => shown !== undefined && store.busy.includes(shown.id))
  const [trigger, setTrigger] = useState<Trigger>()
  const [active, setActive] = useState(0)
  const [open, setOpen] = useState<Open>()
  const [model, setModel] = useState<string>()
  const [queuedIn, setQueuedIn] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  useEffect(() => {
    if (document.querySelector('[role=dialog]') === null) field.current?.focus()
  }, [shown?.id])
  useImportant(shown === undefined)
  const offered = useMemo(
    () => (trigger === undefined ? [] : suggestionsFor(trigger, servers)),
    [trigger, servers],
  )
  const isOpen = offered.length > 0
  const chosenModel = shown?.model ?? model ?? models[0] ?? ''
  const modelNames = [...new Set([...models, chosenModel])].filter(Boolean)

  const isQueued = queuedIn !== undefined && queuedIn === shown?.id
  // What was sent while an answer came goes when the answer is complete.
  useEffect(() => {
    if (!isQueued || isBusy) return
    setQueuedIn(undefined)
    void say()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isQueued, isBusy])

  function write(text: string, cursor: number) {
    changeDraft({ text })
    setQueuedIn(undefined)
    setTrigger(triggerAt(text, cursor))
    setActive(0)
  }

  /** Takes the typed word away; a tool stays in the text as its name. */
  function pick(suggestion: Suggestion) {
    const { from = 0, query = '' } = trigger ?? {}
    const before = draft.text.slice(0, from)
    const after = draft.text.slice(from + 1 + query.length)
    const word = suggestion.kind === 'tool' ? `@${suggestion.mention} ` : ''
    changeDraft({ text: `${before}${word}${after}` })
    setTrigger(undefined)
    if (suggestion.kind === 'resource') attach(suggestion.server, suggestion.resource)
    if (suggestion.kind === 'prompt') setOpen({ kind: 'prompt', suggestion })
    if (suggestion.kind === 'template') setOpen({ kind: 'template', suggestion })
    if (suggestion.kind === 'tool' || suggestion.kind === 'resource') field.current?.focus()
  }

  function attach(
    server: string,
    resource: { uri: string; name: string; size?: number | undefined },
  ) {
    const { uri, name, size } = resource
    attachToDraft({ server, uri, name, size })
  }

  async function say() {
    if (!isSayable(draft)) return
    if (isBusy) return setQueuedIn(shown?.id)
    const input = inputOf(draft)
    const { mode } = draft
    try {
      const id = shown?.id ?? (await begin())
      await channel.ask('turns/say', { conversation: id, input, mode })
      clearDraft()
    } catch (error) {
      showProblem(error, 'Not sent')
    }
  }

  async function begin(): Promise<string> {
    const made = await channel.ask('conversations/create', { model: chosenModel })
    await show(made.id)
    return made.id
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (isOpen && step !== 0) setActive((active + step + offered.length) % offered.length)
    else if (isOpen && event.key === 'Escape') setTrigger(undefined)
    else if (isOpen && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      const suggestion = offered[active]
      if (suggestion !== undefined) pick(suggestion)
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) void say()
    else if (event.key === 'ArrowUp' && draft.text === '' && editLast()) setTrigger(undefined)
    else return
    event.preventDefault()
  }

  function addFiles(files: FileList | undefined | null) {
    if (!files || files.length === 0) return false
    addImages(useDraft.getState().images, files)
      .then((images) => changeDraft({ images }))
      .catch((error: unknown) => showProblem(error, 'Not attached'))
    return true
  }

  return (
    <div
      className="composer"
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        if (addFiles(event.dataTransfer.files)) event.preventDefault()
      }}
    >
      {open?.kind === 'prompt' && (
        <Loaded part={promptSheet} name="The prompt">
          {(PromptSheet) => (
            <PromptSheet suggestion={open.suggestion} onClose={() => setOpen(undefined)} />
          )}
        </Loaded>
      )}
      {open?.kind === 'template' && (
        <Loaded part={templateSheet} name="The template">
          {(TemplateSheet) => (
            <TemplateSheet
              suggestion={open.suggestion}
              onPick={(resource) => {
                attach(open.suggestion.server, resource)
                setOpen(undefined)
              }}
              onClose={() => setOpen(undefined)}
            />
          )}
        </Loaded>
      )}
      {hasAttached && (
        <Loaded part={changedNote} name="The changes">
          {(ChangedNote) => <ChangedNote />}
        </Loaded>
      )}
      <div className="composer-box">
        {isOpen && <SuggestionList id={listId} offered={offered} active={active} onPick={pick} />}
        <Chips />
        <Textarea
          ref={field}
          data-composer
          variant="unstyled"
          aria-label="Message"
          placeholder="Ask anything. @ adds a resource, / runs a prompt"
          autosize
          minRows={shown === undefined ? 2 : 1}
          maxRows={12}
          value={draft.text}
          role="combobox"
          aria-expanded={isOpen}
          aria-haspopup="listbox"
          aria-autocomplete="list"
          {...(isOpen && {
            'aria-controls': listId,
            'aria-activedescendant': `${listId}-${active}`,
          })}
          onChange={({ currentTarget }) => write(currentTarget.value, currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onBlur={() => setTrigger(undefined)}
          onPaste={(event: ClipboardEvent) => {
            if (addFiles(event.clipboardData.files)) event.preventDefault()
          }}
        />
        <div className="composer-row">
          <AddMenu onFiles={addFiles} onMention={() => mention(field.current)} />
          {shown === undefined && <ServerChips />}
          <span className="grow quiet cut" role="status">
            {isQueued && 'It is sent when the answer is complete.'}
          </span>
          {shown !== undefined && <Meter />}
          <Select
            className="composer-pick"
            variant="unstyled"
            aria-label="Model"
            data={[
              ...modelNames.map((name) => ({ value: name, label: visible(name) })),
              ...(canSetUp ? [{ value: anotherModel, label: 'Another model…' }] : []),
            ]}
            value={chosenModel}
            allowDeselect={false}
            comboboxProps={{ width: 'max-content', position: 'top-end' }}
            onChange={(next) => {
              if (next === anotherModel) openSettings('models')
              else void chooseModel(next)
            }}
          />
          {isBusy && shown !== undefined ? (
            <Tooltip label="Stop (Esc)">
              <ActionIcon
                className="composer-stop"
                aria-label="Stop"
                data-cancel="run"
                onClick={() => {
                  setQueuedIn(undefined)
                  void channel.ask('turns/stop', { conversation: shown.id })
                }}
              >
                <Icon name="stop" size={16} />
              </ActionIcon>
            </Tooltip>
          ) : (
            <Tooltip label="Send (Enter)">
              <ActionIcon
                variant="filled"
                color="iris"
                className="composer-send"
                aria-label="Send"
                disabled={!isSayable(draft)}
                onClick={() => void say()}
              >
                <Icon name="arrowUp" size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      </div>
    </div>
  )

  async function chooseModel(next: string | null) {
    if (next === null) return
    if (shown === undefined) return setModel(next)
    await channel
      .ask('conversations/change', { id: shown.id, model: next })
      .catch((error: unknown) => showProblem(error, 'The model was not changed'))
  }
}

/** What `@` would do, for those who look for a button. */
function mention(field: HTMLTextAreaElement | null) {
  if (field === null) return
  field.focus()
  const { value, selectionStart: at } = field
  const before = value.slice(0, at)
  const sign = before === '' || /\s$/.test(before) ? '@' : ' @'
  // As if it was typed, so that the list opens.
  field.setRangeText(sign, at, at, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function AddMenu({
  onFiles,
  onMention,
}: {
  readonly onFiles: (files: FileList | null) => unknown
  readonly onMention: () => void
}): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  const mode = useDraft((draft) => draft.mode)
  return (
    <>
      <Menu position="top-start" returnFocus={false}>
        <Menu.Target>
          <Tooltip label="Add pictures or resources, choose tools">
            <ActionIcon size={28} aria-label="Add pictures or resources, choose tools">
              <Icon name="plus" size={17} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="image" size={15} />}
            onClick={() => input.current?.click()}
          >
            Add a picture
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="file" size={15} />}
            rightSection={
              <kbd className="keys" aria-hidden>
                @
              </kbd>
            }
            onClick={() => setTimeout(onMention)}
          >
            Add a resource of a server
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Tools that the model is told of</Menu.Label>
          {modes.map(({ value, label }) => (
            <Menu.Item
              key={value}
              role="menuitemradio"
              aria-checked={mode === value}
              rightSection={mode === value && <Icon name="check" size={14} />}
              onClick={() => changeDraft({ mode: value })}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label="Pictures"
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files)
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** The servers of a new chat, and a way to add one. */
function ServerChips(): ReactElement {
  const servers = useStore((store) => store.servers)
  const canSetUp = useStore((store) => store.canSetUp)
  const ready = servers.filter(({ state }) => state === 'ready')
  const names = ready.map(({ name }) => visible(name))
  return (
    <>
      {servers.length > 0 && (
        <button
          type="button"
          className="pill"
          title={`${ready.length} of ${servers.length} servers are ready`}
          onClick={() => openSettings('servers')}
        >
          <span className="dot" data-tone={ready.length > 0 ? 'good' : 'plain'} />
          <span className="cut wide-only">
            {names.slice(0, 3).join(' · ') || 'No server is ready'}
            {names.length > 3 && ` +${names.length - 3}`}
          </span>
          <span className="narrow-only">
            {ready.length} {ready.length === 1 ? 'server' : 'servers'}
          </span>
        </button>
      )}
      {canSetUp && (
        <button type="button" className="pill wide-only" onClick={() => openSettings('servers')}>
          <Icon name="plus" size={14} /> Add server
        </button>
      )}
    </>
  )
}

/** How much of the model's window is used by tools; opens the panel that says by what. */
function Meter(): ReactElement {
  const isOpen = useContextOpen((state) => state.isOpen)
  const share = useStore(({ meter }) => shareSent(meter))
  const percent = share > 0 && share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`
  return (
    <Tooltip label="Context: how much of the model's window is used">
      <button
        type="button"
        className="meter"
        aria-label={`Context: ${percent} used`}
        aria-expanded={isOpen}
        onClick={toggleContext}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="6" className="meter-ring" />
          <circle
            cx="8"
            cy="8"
            r="6"
            className="meter-used"
            pathLength="100"
            strokeDasharray={`${Math.min(100, share * 100)} 100`}
          />
        </svg>
        {percent}
      </button>
    </Tooltip>
  )
}

/** Begins to edit the last message of the thread; false if there is none. */
function editLast(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>('[data-edit]')].at(-1)
  button?.click()
  return button !== undefined
}
