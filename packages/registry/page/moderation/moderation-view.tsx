import { Button, Loader } from '@mantine/core'
import { BackButton, Empty, ProblemNote, showHidden } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import { AddressLink } from '../address-link.tsx'
import { go } from '../address.ts'
import { useAsked } from '../ask.ts'
import { Card } from '../entry/card.tsx'
import type { Entry } from '../read-entry.ts'
import { mayModerate, useSession } from '../session.ts'
import { DecisionDialog, type Decision } from './decision-dialog.tsx'
import { NotesCard } from './notes-card.tsx'
import { readModeration } from './read-moderation.ts'
import { ReportsCard } from './reports-card.tsx'
import { RuleForm } from './rule-form.tsx'
import { RulesCard } from './rules-card.tsx'

/** All that moderators decided and noticed, and a form for new rules. */
export function ModerationView(): ReactElement {
  const session = useSession()
  const isModerator = session.moderates.length > 0
  const { value, problem, retry } = useAsked(
    isModerator ? 'x/moderation' : undefined,
    readModeration,
  )
  const [decision, setDecision] = useState<Decision>()
  useEffect(() => {
    document.title = 'Moderation · Parley Registry'
  }, [])
  const back = <BackButton label="All servers" onClick={() => go({ view: undefined })} />

  if (!isModerator) {
    return (
      <>
        {back}
        <Empty icon="lock" title="For moderators">
          Sign in with a token that may moderate, at the top of the page.
        </Empty>
      </>
    )
  }
  return (
    <>
      {back}
      <div className="entry">
        <h1 className="page-title">Moderation</h1>
        {problem !== undefined && (
          <ProblemNote problem={problem} title="It cannot be shown" retry={retry} />
        )}
        {value === undefined && problem === undefined && <Loader size={16} />}
        {value && (
          <div className="entry-columns">
            <div className="stack">
              <RulesCard
                rules={value.rules}
                mayRemove={({ kind, pattern }) => mayModerate(session, subjectOf(kind, pattern))}
                onDecide={setDecision}
              />
              <RuleForm onDecide={setDecision} />
            </div>
            <div className="stack">
              <ReportsCard reports={value.reports} onDecide={setDecision} />
              <FlaggedCard entries={value.flagged} onDecide={setDecision} />
              <NotesCard notes={value.notes} />
            </div>
          </div>
        )}
      </div>
      {decision && (
        <DecisionDialog
          decision={decision}
          onClose={() => setDecision(undefined)}
          onDone={() => {
            setDecision(undefined)
            retry()
          }}
        />
      )}
    </>
  )
}

function FlaggedCard(props: {
  readonly entries: readonly Entry[]
  readonly onDecide: (decision: Decision) => void
}): ReactElement {
  const { entries, onDecide } = props
  return (
    <Card title="Look twice">
      {entries.length === 0 && <p className="quiet">No name looks like another one.</p>}
      {entries.length > 0 && (
        <ul className="decisions">
          {entries.map(({ name, version, flags }) => (
            <li key={`${name} ${version}`}>
              <AddressLink to={{ view: undefined, server: name, version }}>
                {showHidden(name)} {showHidden(version)}
              </AddressLink>
              {flags.map((flag) => (
                <span key={flag} className="wrap">
                  {showHidden(flag)}
                </span>
              ))}
              <Button
                variant="default"
                size="compact-xs"
                className="self-start"
                aria-label={`Hide ${showHidden(name)}`}
                onClick={() =>
                  onDecide({
                    title: 'Hide the server',
                    effect: `No version of ${showHidden(name)} is listed any more.`,
                    button: 'Hide it',
                    field: 'reason',
                    body: { action: 'hide', name },
                  })
                }
              >
                Hide
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What somebody must moderate to take a rule back. */
function subjectOf(kind: string, pattern: string): string {
  if (kind === 'allow') return '*'
  return kind === 'block' ? `${pattern}/` : (pattern.split('@', 1)[0] ?? pattern)
}
