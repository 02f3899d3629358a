import { Button } from '@mantine/core'
import { ProblemNote, showHidden } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { useAsked } from '../ask.ts'
import { Card } from '../entry/card.tsx'
import type { Entry } from '../read-entry.ts'
import { mayModerate, useSession } from '../session.ts'
import { DecisionDialog, type Decision } from './decision-dialog.tsx'
import { NotesCard } from './notes-card.tsx'
import { readModeration } from './read-moderation.ts'
import { ReportsCard } from './reports-card.tsx'
import { RulesCard } from './rules-card.tsx'

export interface EntryModerationProps {
  readonly entry: Entry
  /** Something was decided: the entry may look different now. */
  readonly onChanged: () => void
}

/** What moderators know of a server and can do about it; nothing for others. */
export function EntryModeration({ entry, onChanged }: EntryModerationProps): ReactElement | null {
  const { name } = entry
  const session = useSession()
  const isModerator = mayModerate(session, name)
  const path = isModerator ? `x/moderation?name=${encodeURIComponent(name)}` : undefined
  const { value, problem, retry } = useAsked(path, readModeration)
  const [decision, setDecision] = useState<Decision>()
  if (!isModerator) return null
  const publisher = name.slice(0, Math.max(0, name.indexOf('/')))
  const mayBlock = mayModerate(session, `${publisher}/`)

  return (
    <>
      <Card title="Moderation">
        <div className="row wrap-row">
          {decisionsOn(entry).map((item) => (
            <Button
              key={item.title}
              variant="default"
              size="compact-sm"
              onClick={() => setDecision(item)}
            >
              {item.title}
            </Button>
          ))}
          {mayBlock && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => setDecision(blockOf(publisher))}
            >
              Block the publisher
            </Button>
          )}
        </div>
        {problem !== undefined && <ProblemNote problem={problem} title="Rules cannot be shown" />}
      </Card>
      {value && (
        <>
          {value.reports.length > 0 && (
            <ReportsCard reports={value.reports} onDecide={setDecision} />
          )}
          <RulesCard
            rules={value.rules}
            mayRemove={({ kind, pattern }) =>
              kind !== 'block' || mayModerate(session, `${pattern}/`)
            }
            onDecide={setDecision}
          />
          <NotesCard
            notes={value.notes}
            action={
              <Button variant="default" size="compact-xs" onClick={() => setDecision(noteOn(name))}>
                Add a note
              </Button>
            }
          />
        </>
      )}
      {decision && (
        <DecisionDialog
          decision={decision}
          onClose={() => setDecision(undefined)}
          onDone={() => {
            setDecision(undefined)
            retry()
            onChanged()
          }}
        />
      )}
    </>
  )
}

function decisionsOn({ name, version }: Entry): readonly Decision[] {
  const shown = showHidden(name)
  return [
    {
      title: 'Hide this version',
      effect: `${shown} ${showHidden(version)} is no longer listed, and mirrors drop it. It can be restored.`,
      button: 'Hide it',
      field: 'reason',
      body: { action: 'hide', name, version },
    },
    {
      title: 'Hide the server',
      effect: `No version of ${shown} is listed, and mirrors drop them. They can be restored.`,
      button: 'Hide it',
      field: 'reason',
      body: { action: 'hide', name },
    },
  ]
}

function blockOf(publisher: string): Decision {
  return {
    title: 'Block the publisher',
    effect: `Nothing of ${showHidden(publisher)} is listed any more, and it cannot publish.`,
    button: 'Block it',
    field: 'reason',
    body: { action: 'block', publisher },
  }
}

function noteOn(name: string): Decision {
  return {
    title: 'Add a note',
    effect: `What other moderators should know about ${showHidden(name)}.`,
    button: 'Add the note',
    field: 'text',
    body: { action: 'note', name },
  }
}
