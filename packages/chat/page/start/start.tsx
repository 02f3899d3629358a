import { Icon } from '@parley/page/icons'
import { createLoadable, Loaded } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { thingsToTry } from '../../src/core/things-to-try.ts'
import { Composer } from '../composer/composer.tsx'
import { changeDraft } from '../composer/draft.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

const checklist = createLoadable(async () => (await import('./checklist.tsx')).Checklist)
const sheets = createLoadable(async () => (await import('../sheets/sheets.tsx')).Sheets)

/** The first screen: one field with the cursor in it, something to try, and what is not set up yet. */
export function Start(): ReactElement {
  const servers = useStore((store) => store.servers)
  const model = useStore((store) => store.models[0]) ?? 'scripted'
  const isFirstRun = useStore((store) => store.isFirstRun && store.canSetUp)
  const asks = useStore((store) => store.questions.length > 0)
  const ready = servers.filter(({ state }) => state === 'ready')
  return (
    <div className="start" role="region" aria-label="New chat" tabIndex={0}>
      <div className="start-body">
        <h1>What do you want to find out?</h1>
        <Composer />
        <ul className="ideas" aria-label="Suggestions">
          {thingsToTry(ready, model).map(({ title, text, server }) => (
            <li key={title}>
              <button
                type="button"
                className="idea"
                title={visible(text)}
                onClick={() => {
                  changeDraft({ text })
                  document.querySelector<HTMLElement>('[data-composer]')?.focus()
                }}
              >
                {title}
                <span className="row quiet">
                  <Icon name={server === undefined ? 'message' : 'wrench'} size={14} />
                  <span className="cut">{visible(server ?? text)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        {isFirstRun && (
          <Loaded part={checklist} name="The list of steps">
            {(Checklist) => <Checklist />}
          </Loaded>
        )}
        {asks && (
          <Loaded part={sheets} name="The question">
            {(Sheets) => <Sheets />}
          </Loaded>
        )}
        <p className="promise">
          <Icon name="shieldCheck" size={14} />
          You decide about each tool call. Nothing runs without your answer.
        </p>
      </div>
    </div>
  )
}
