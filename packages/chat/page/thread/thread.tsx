import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { FailedServers } from './failed-servers.tsx'
import { readThread, type ThreadItem } from './read-thread.ts'
import { ThreadItemView } from './thread-item.tsx'
import { AnswerActions, EditMessage, UserActions } from './turn-actions.tsx'
import { contentOfTurn } from './turn-content.ts'
import { useVersions } from './use-versions.ts'

const sheets = createLoadable(async () => (await import('../sheets/sheets.tsx')).Sheets)

/** A conversation from its beginning to what happens now, and the questions that wait. */
export function Thread(): ReactElement {
  const entries = useStore((store) => store.entries)
  const running = useStore((store) => store.running)
  const shown = useStore((store) => store.shown)
  const items = useMemo(() => readThread(entries, running), [entries, running])
  const questions = useStore((store) => store.questions)
  const isBusy = useStore((store) => shown !== undefined && store.busy.includes(shown.id))
  const versions = useVersions()
  const [editing, setEditing] = useState<number>()
  const end = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  const scroller = useRef<HTMLDivElement>(null)

  useEffect(() => setEditing(undefined), [shown?.id, isBusy])
  // Reading further up is not interrupted.
  useEffect(() => {
    if (isNear.current) end.current?.scrollIntoView({ block: 'end' })
  }, [items, questions])

  function onScroll() {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {}
    isNear.current = scrollHeight - scrollTop - clientHeight < 120
  }

  const isStored = shown !== undefined && !isBusy && running === undefined
  return (
    <div
      className="thread"
      ref={scroller}
      onScroll={onScroll}
      role="region"
      aria-label="Conversation"
      tabIndex={0}
    >
      <ol className="thread-items" aria-label="Messages">
        {items.map((item, at) => {
          const { turn } = item
          const isEdited = editing === turn && isLastOfUser(items, at)
          return (
            <li key={item.key} className="thread-item" data-kind={item.kind}>
              <Boundary name="This part of the conversation">
                {isEdited ? (
                  <EditMessage
                    turn={turn}
                    content={contentOfTurn(items, turn)}
                    onClose={() => setEditing(undefined)}
                  />
                ) : (
                  <ThreadItemView item={item} />
                )}
              </Boundary>
              {item.kind === 'user' && isStored && !isEdited && isLastOfUser(items, at) && (
                <UserActions
                  content={item.content}
                  onEdit={() => setEditing(turn)}
                  versions={versions.at(turn)}
                />
              )}
              {isEndOfTurn(items, at) && isStored && (
                <AnswerActions
                  conversation={shown.id}
                  turn={turn}
                  text={textOfTurn(items, turn)}
                  content={contentOfTurn(items, turn)}
                  isLast={at === items.length - 1}
                />
              )}
            </li>
          )
        })}
      </ol>
      <FailedServers />
      {running !== undefined && !running.isEnded && <Working items={items} />}
      {questions.length > 0 && (
        <Loaded part={sheets} name="The question">
          {(Sheets) => <Sheets />}
        </Loaded>
      )}
      <div ref={end} />
    </div>
  )
}

/** Says that something happens, while nothing of it can be seen yet. */
function Working({ items }: { readonly items: readonly ThreadItem[] }): ReactElement | null {
  const asks = useStore((store) => store.questions.length > 0)
  const last = items.at(-1)
  if (asks || (last?.kind === 'text' && last.isStreaming)) return null
  const isCalling = items.some((item) => item.kind === 'call' && item.call.result === undefined)
  return (
    <p className="thread-working quiet" role="status">
      <span className="dots" aria-hidden="true" />{' '}
      {isCalling ? 'Waiting for the tool' : 'Waiting for the model'}
    </p>
  )
}

function isEndOfTurn(items: readonly ThreadItem[], at: number): boolean {
  return items[at]?.turn !== items[at + 1]?.turn
}

function isLastOfUser(items: readonly ThreadItem[], at: number): boolean {
  const item = items[at]
  return (
    item?.kind === 'user' &&
    !items.slice(at + 1).some((next) => next.turn === item.turn && next.kind === 'user')
  )
}

function textOfTurn(items: readonly ThreadItem[], turn: number): string {
  return items
    .flatMap((item) => (item.turn === turn && item.kind === 'text' ? [item.text] : []))
    .join('\n\n')
}
