import { Boundary, Empty } from '@parley/page/parts'
import { useEffect, useMemo, useRef, type ReactElement } from 'react'

import { Sheets } from '../sheets/sheets.tsx'
import { useStore } from '../store.ts'
import { readThread, type ThreadItem } from './read-thread.ts'
import { ThreadItemView } from './thread-item.tsx'
import { TurnMenu } from './turn-menu.tsx'

/** A conversation from its beginning to what happens now, and the questions that wait. */
export function Thread(): ReactElement {
  const entries = useStore((store) => store.entries)
  const running = useStore((store) => store.running)
  const shown = useStore((store) => store.shown)
  const items = useMemo(() => readThread(entries, running), [entries, running])
  const questions = useStore((store) => store.questions)
  const end = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  const scroller = useRef<HTMLDivElement>(null)
  const isEmpty = items.length === 0 && questions.length === 0

  // Who reads further up is not pulled away.
  useEffect(() => {
    if (isNear.current) end.current?.scrollIntoView({ block: 'end' })
  }, [items, questions])

  function onScroll() {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {}
    isNear.current = scrollHeight - scrollTop - clientHeight < 120
  }

  return (
    <div
      className="thread"
      ref={scroller}
      onScroll={onScroll}
      role="region"
      aria-label="Conversation"
      tabIndex={0}
    >
      {isEmpty && (
        <Empty
          icon="message"
          title={shown === undefined ? 'Start a conversation' : 'Nothing said yet'}
        >
          Write below. <kbd className="keys">/</kbd> offers the prompts of your servers,{' '}
          <kbd className="keys">@</kbd> their resources and tools.
        </Empty>
      )}
      <ol className="thread-items" aria-label="Messages">
        {items.map((item, at) => (
          <li key={item.key} className="thread-item" data-kind={item.kind}>
            <Boundary name="This part of the conversation">
              <ThreadItemView item={item} />
            </Boundary>
            {isEndOfTurn(items, at) && shown !== undefined && running?.isEnded !== false && (
              <TurnMenu
                conversation={shown.id}
                turn={item.turn}
                text={textOfTurn(items, item.turn)}
              />
            )}
          </li>
        ))}
      </ol>
      {running !== undefined && !running.isEnded && <Working items={items} />}
      <Sheets />
      <div ref={end} />
    </div>
  )
}

/** Something happens, though nothing is to be seen of it yet. */
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

function textOfTurn(items: readonly ThreadItem[], turn: number): string {
  return items
    .flatMap((item) => (item.turn === turn && item.kind === 'text' ? [item.text] : []))
    .join('\n\n')
}
