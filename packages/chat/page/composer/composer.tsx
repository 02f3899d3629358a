import { ActionIcon, Button, Menu, Select, Textarea, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { showProblem } from '@parley/page/parts'
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
import { show, useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { addImages } from './add-images.ts'
import { ChangedNote } from './changed-note.tsx'
import { Chips } from './chips.tsx'
import { attachToDraft, changeDraft, clearDraft, inputOf, isSayable, useDraft } from './draft.ts'
import { useImportant } from './important.ts'
import { ModelSheet } from './model-sheet.tsx'
import { PromptSheet } from './prompt-sheet.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { suggestionsFor, triggerAt, type Suggestion, type Trigger } from './suggestions.ts'
import { TemplateSheet } from './template-sheet.tsx'

/** What is open above the field. */
type Open =
  | { readonly kind: 'prompt'; readonly suggestion: Extract<Suggestion, { kind: 'prompt' }> }
  | { readonly kind: 'template'; readonly suggestion: Extract<Suggestion, { kind: 'template' }> }
  | { readonly kind: 'model' }

const modes = [
  { value: 'auto', label: 'Tools: automatic' },
  { value: 'all', label: 'Tools: all' },
  { value: 'pinned', label: 'Tools: most used' },
  { value: 'search', label: 'Tools: by search' },
] as const
/** No name of a model begins with a space. */
const anotherModel = ' another'

/** Where one writes: text, prompts by `/`, resources and tools by `@`, pictures, model and mode. */
export function Composer(): ReactElement {
  const draft = useDraft()
  const servers = useStore((store) => store.servers)
  const shown = useStore((store) => store.shown)
  const models = useStore((store) => store.models)
  const canSetUp = useStore((store) => store.canSetUp)
  const isBusy = useStore((store) => shown !== undefined && store.busy.includes(shown.id))
  const [trigger, setTrigger] = useState<Trigger>()
  const [active, setActive] = useState(0)
  const [open, setOpen] = useState<Open>()
  const [model, setModel] = useState<string>()
  const [queuedIn, setQueuedIn] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
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
        <PromptSheet suggestion={open.suggestion} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'template' && (
        <TemplateSheet
          suggestion={open.suggestion}
          onPick={(resource) => {
            attach(open.suggestion.server, resource)
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'model' && (
        <ModelSheet
          current={chosenModel}
          onPicked={(name) => {
            setOpen(undefined)
            void chooseModel(name)
            field.current?.focus()
          }}
          onClose={() => {
            setOpen(undefined)
            field.current?.focus()
          }}
        />
      )}
      {isOpen && <SuggestionList id={listId} offered={offered} active={active} onPick={pick} />}
      <ChangedNote />
      <Chips />
      <Textarea
        ref={field}
        data-composer
        aria-label="Message"
        placeholder="Write a message. / prompts, @ resources and tools"
        autosize
        minRows={2}
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
      <div className="composer-foot">
        <AttachMenu onFiles={addFiles} onMention={() => mention(field.current)} />
        <Select
          className="composer-pick"
          aria-label="Model"
          data={[
            ...modelNames.map((name) => ({ value: name, label: visible(name) })),
            ...(canSetUp ? [{ value: anotherModel, label: 'Another model…' }] : []),
          ]}
          value={chosenModel}
          allowDeselect={false}
          onChange={(next) => {
            if (next === anotherModel) setOpen({ kind: 'model' })
            else void chooseModel(next)
          }}
        />
        <Select
          className="composer-pick"
          aria-label="How many tools are described to the model"
          data={modes}
          value={draft.mode}
          allowDeselect={false}
          onChange={(mode) => changeDraft({ mode: mode ?? 'auto' })}
        />
        <span className="grow quiet" role="status">
          {isQueued && 'It is sent when the answer is complete.'}
        </span>
        {isBusy && shown !== undefined ? (
          <Button
            color="red"
            variant="light"
            leftSection={<Icon name="stop" size={14} />}
            onClick={() => {
              setQueuedIn(undefined)
              void channel.ask('turns/stop', { conversation: shown.id })
            }}
          >
            Stop
          </Button>
        ) : (
          <Button
            disabled={!isSayable(draft)}
            leftSection={<Icon name="play" size={14} />}
            onClick={() => void say()}
          >
            Send
          </Button>
        )}
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

function AttachMenu({
  onFiles,
  onMention,
}: {
  readonly onFiles: (files: FileList | null) => unknown
  readonly onMention: () => void
}): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu position="top-start" returnFocus={false}>
        <Menu.Target>
          <Tooltip label="Attach">
            <ActionIcon aria-label="Attach">
              <Icon name="plus" size={17} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="image" size={15} />}
            onClick={() => input.current?.click()}
          >
            A picture
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="file" size={15} />}
            onClick={() => setTimeout(onMention)}
          >
            A resource of a server
          </Menu.Item>
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
