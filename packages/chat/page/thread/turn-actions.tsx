import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core'
import type { ModelContent } from '@parley/host/models'
import { Icon, type IconName } from '@parley/page/icons'
import { CopyText, showProblem } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useDraft } from '../composer/draft.ts'
import { show, useStore } from '../store.ts'
import { withWords, wordsOf } from './turn-content.ts'
import type { TurnVersions } from './versions.ts'

/** Below what the person said: copy, edit, the other versions. */
export function UserActions({
  content,
  versions,
  onEdit,
}: {
  readonly content: readonly ModelContent[]
  readonly versions: TurnVersions | undefined
  readonly onEdit: () => void
}): ReactElement {
  const words = wordsOf(content)
  return (
    <div className="turn-actions" data-side="end" data-shown={versions !== undefined}>
      {words !== '' && <CopyText text={words} label="Copy the message" />}
      <Action
        icon="pencil"
        label="Edit the message"
        mark={{ 'data-edit': true }}
        onClick={onEdit}
      />
      {versions !== undefined && <Versions versions={versions} />}
    </div>
  )
}

/** Below an answer: copy, retry, branch. */
export function AnswerActions({
  conversation,
  turn,
  text,
  content,
  isLast,
}: {
  readonly conversation: string
  readonly turn: number
  readonly text: string
  readonly content: readonly ModelContent[]
  readonly isLast: boolean
}): ReactElement {
  async function branch() {
    const made = await channel.ask('conversations/fork', { id: conversation, turns: turn })
    await show(made.id)
  }
  return (
    <div className="turn-actions" data-shown={isLast}>
      {text !== '' && <CopyText text={text} label="Copy the answer" />}
      {content.length > 0 && (
        <Action
          icon="refresh"
          label="Retry: answer again"
          onClick={() => void say(conversation, turn, content, 'Not tried again')}
        />
      )}
      <Action
        icon="branch"
        label="Branch: go on from here in a new chat"
        onClick={() => void branch().catch((error: unknown) => showProblem(error, 'Not branched'))}
      />
    </div>
  )
}

/** The message in a field, to be said in other words. What was answered before stays as another version. */
export function EditMessage({
  turn,
  content,
  onClose,
}: {
  readonly turn: number
  readonly content: readonly ModelContent[]
  readonly onClose: () => void
}): ReactElement {
  const [words, setWords] = useState(wordsOf(content))
  const conversation = useStore((store) => store.shown?.id)
  const isSayable = words.trim() !== '' && conversation !== undefined
  const send = () => {
    if (!isSayable) return
    onClose()
    void say(conversation, turn, withWords(content, words.trim()), 'Not sent')
  }
  const close = () => {
    onClose()
    setTimeout(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
  }
  return (
    <div className="edit-message">
      <Textarea
        aria-label="Edit the message"
        autosize
        maxRows={12}
        autoFocus
        value={words}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(words.length, words.length)}
        onChange={({ currentTarget: { value } }) => setWords(value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') close()
          else if (event.key === 'Enter' && !event.shiftKey) send()
          else return
          event.preventDefault()
        }}
      />
      <div className="row end">
        <span className="quiet grow">The earlier version stays.</span>
        <Button variant="default" size="xs" onClick={close}>
          Cancel
        </Button>
        <Button size="xs" disabled={!isSayable} onClick={send}>
          Send
        </Button>
      </div>
    </div>
  )
}

function Versions({ versions: { ids, shown } }: { readonly versions: TurnVersions }): ReactElement {
  const go = (step: number) => {
    const id = ids[shown + step]
    if (id !== undefined) {
      void show(id).catch((error: unknown) => showProblem(error, 'Not shown'))
    }
  }
  return (
    <span className="versions" role="group" aria-label="Versions of the message">
      <Action
        icon="chevronLeft"
        label="Earlier version"
        isDisabled={shown <= 0}
        onClick={() => go(-1)}
      />
      <span className="tabular">
        {shown + 1} / {ids.length}
      </span>
      <Action
        icon="chevronRight"
        label="Later version"
        isDisabled={shown >= ids.length - 1}
        onClick={() => go(1)}
      />
    </span>
  )
}

function Action({
  icon,
  label,
  onClick,
  isDisabled = false,
  mark,
}: {
  readonly icon: IconName
  readonly label: string
  readonly onClick: () => void
  readonly isDisabled?: boolean
  readonly mark?: { readonly 'data-edit': true }
}): ReactElement {
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={label} disabled={isDisabled} onClick={onClick} {...mark}>
        <Icon name={icon} size={15} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Says something in place of a turn; the turn and those after it stay as another version. */
async function say(
  id: string,
  turn: number,
  content: readonly ModelContent[],
  failure: string,
): Promise<void> {
  try {
    const made = await channel.ask('conversations/revise', { id, turn })
    await show(made.id)
    const { mode } = useDraft.getState()
    await channel.ask('turns/say', { conversation: made.id, input: { content }, mode })
  } catch (error) {
    showProblem(error, failure)
  }
}
