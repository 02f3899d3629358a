import { Button } from '@mantine/core'
import { showHidden, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { Day } from '../day.tsx'
import { Card } from '../entry/card.tsx'
import type { Decision } from './decision-dialog.tsx'
import type { Rule } from './read-moderation.ts'

export interface RulesCardProps {
  readonly rules: readonly Rule[]
  /** Whether somebody may take a rule back. */
  readonly mayRemove: (rule: Rule) => boolean
  readonly onDecide: (decision: Decision) => void
}

/** Decisions that count now, each with its reason. */
export function RulesCard({ rules, mayRemove, onDecide }: RulesCardProps): ReactElement {
  return (
    <Card title="Rules">
      {rules.length === 0 && <p className="quiet">There are none.</p>}
      {rules.length > 0 && (
        <ul className="decisions">
          {rules.map((rule) => (
            <li key={`${rule.kind} ${rule.pattern}`}>
              <span className="row wrap-row">
                <Tag tone={toneOf(rule.kind)}>{showHidden(rule.kind)}</Tag>
                <code className="mono wrap">{showHidden(rule.pattern)}</code>
                {rule.value !== undefined && (
                  <code className="mono quiet wrap">{showHidden(rule.value)}</code>
                )}
              </span>
              <span className="wrap">{showHidden(rule.reason)}</span>
              <span className="quiet">
                {showHidden(rule.author)}
                {rule.at !== undefined && (
                  <>
                    , <Day at={rule.at} />
                  </>
                )}
              </span>
              {mayRemove(rule) && (
                <Button
                  variant="default"
                  size="compact-xs"
                  className="self-start"
                  aria-label={`Remove the rule ${showHidden(rule.kind)} ${showHidden(rule.pattern)}`}
                  onClick={() => onDecide(removal(rule))}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function toneOf(kind: string) {
  return kind === 'deny' || kind === 'block' ? ('bad' as const) : ('info' as const)
}

function removal({ kind, pattern }: Rule): Decision {
  return {
    title: 'Remove a rule',
    effect: `The rule ${showHidden(kind)} ${showHidden(pattern)} no longer counts, and entries are shown as they were before it.`,
    button: 'Remove the rule',
    field: 'reason',
    body: { action: 'remove', kind, pattern },
  }
}
