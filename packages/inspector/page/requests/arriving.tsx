import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'

import type { QuestionView } from '../../src/protocol/index.ts'
import { announce } from '../announce.ts'
import { useStore } from '../store.ts'
import { showTab, useView } from '../view.ts'
import { messageOf } from './question-text.ts'

const shownMs = 8000

/** Says when a server asks something, wherever the user is. Called once, by the page's start. */
export function followQuestions(): void {
  const known = new Set<string>()
  useStore.subscribe(({ questions, isReady }) => {
    const open = questions.filter(({ id, state }) => state === 'open' && !known.has(id))
    for (const { id } of questions) known.add(id)
    const [first] = open
    if (first === undefined || !isReady) return
    announce(`${first.server} asks: ${messageOf(first)}`)
    if (useView.getState().tab !== 'requests') show(first)
  })
  // Where the requests are shown, nothing may stand before their buttons.
  useView.subscribe(({ tab }) => {
    if (tab === 'requests') for (const id of known) notifications.hide(id)
  })
}

function show(question: QuestionView) {
  const { id, server } = question
  notifications.show({
    id,
    title: `${server} asks`,
    message: (
      <>
        <span className="arriving-text">{messageOf(question).slice(0, 200)}</span>
        <Button size="compact-sm" onClick={() => showTab('requests')}>
          Answer
        </Button>
      </>
    ),
    color: 'orange',
    autoClose: shownMs,
    withBorder: true,
  })
}
