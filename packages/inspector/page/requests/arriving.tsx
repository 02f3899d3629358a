import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { announce } from '@parley/page/parts'
import { messageOf } from '@parley/page/questions'

import type { QuestionView } from '../../src/protocol/index.ts'
import { useRuns } from '../runs.ts'
import { useStore } from '../store.ts'
import { isPicked, openDialog, pick, showTab, useView } from '../view.ts'
import { locationOf, type CallLocation } from './question-call.ts'

const shownMs = 8000

/** Says when a server asks something, wherever the user is. Called once, by the page's start. */
export function followQuestions(): void {
  const ids = new Set<string>()
  let isFollowing = false
  useStore.subscribe(({ questions, isReady }) => {
    const fresh = questions.filter(({ id }) => isReady && !ids.has(id))
    const open = fresh.filter(({ state }) => state === 'open')
    for (const { id } of questions) ids.add(id)
    if (isFollowing) for (const item of fresh) if (isToldNothing(item)) showToldNothing(item.server)
    isFollowing = isReady
    const [first] = open
    if (first === undefined || !isReady) return
    announce(`${first.server} asks: ${messageOf(first)}`)
    const call = locationOf(first, useRuns.getState().runs)
    // Where the call is shown, the question is shown with it.
    const isInSight = call !== undefined && isPicked(call.server, call.tab, call.item)
    if (!isInSight && useView.getState().tab !== 'requests') show(first, call)
  })
  // Where the requests are shown, nothing may stand before their buttons.
  useView.subscribe(({ tab }) => {
    const { runs } = useRuns.getState()
    for (const question of useStore.getState().questions) {
      const call = locationOf(question, runs)
      const isInSight = call !== undefined && isPicked(call.server, call.tab, call.item)
      if (tab === 'requests' || isInSight) notifications.hide(question.id)
    }
  })
}

/** The settings answered for the user, who may not know that there is something to set. */
function isToldNothing({ server, kind, rule }: QuestionView): boolean {
  if (kind !== 'roots' || rule !== 'settings') return false
  const serverView = useStore.getState().servers.find(({ name }) => name === server)
  return serverView?.settings.roots.length === 0
}

function showToldNothing(server: string) {
  notifications.show({
    id: `roots ${server}`,
    title: `${server} asked for roots`,
    message: (
      <>
        <span className="arriving-text">It was told that there are no roots.</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => openDialog({ kind: 'settings', server })}
        >
          Settings
        </Button>
      </>
    ),
    autoClose: shownMs,
    withBorder: true,
  })
}

function show(question: QuestionView, call: CallLocation | undefined) {
  const { id, server } = question
  notifications.show({
    id,
    title: `${server} asks`,
    message: (
      <>
        <span className="arriving-text">{messageOf(question).slice(0, 200)}</span>
        <Button
          size="compact-sm"
          onClick={() =>
            call === undefined ? showTab('requests') : pick(call.server, call.tab, call.item)
          }
        >
          Answer
        </Button>
      </>
    ),
    color: 'orange',
    autoClose: shownMs,
    withBorder: true,
  })
}
