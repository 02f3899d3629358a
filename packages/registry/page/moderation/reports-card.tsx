import { Button } from '@mantine/core'
import { showHidden, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { AddressLink } from '../address-link.tsx'
import { Day } from '../day.tsx'
import { Card } from '../entry/card.tsx'
import type { Decision } from './decision-dialog.tsx'
import type { ShownReport } from './read-moderation.ts'

export interface ReportsCardProps {
  readonly reports: readonly ShownReport[]
  readonly onDecide: (decision: Decision) => void
}

/** What people say is wrong, the newest first. */
export function ReportsCard({ reports, onDecide }: ReportsCardProps): ReactElement {
  const names = [...new Set(reports.map(({ name }) => name))]
  return (
    <Card title="Reports">
      {names.length === 0 && <p className="quiet">There are none.</p>}
      {names.length > 0 && (
        <ul className="decisions">
          {names.map((name) => (
            <li key={name}>
              <AddressLink to={{ view: undefined, server: name, version: undefined }}>
                {showHidden(name)}
              </AddressLink>
              {reports
                .filter((report) => report.name === name)
                .map((report, index) => (
                  <ReportText key={index} report={report} />
                ))}
              <Button
                variant="default"
                size="compact-xs"
                className="self-start"
                aria-label={`Dismiss the reports on ${showHidden(name)}`}
                onClick={() => onDecide(dismissal(name))}
              >
                Dismiss
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function ReportText({ report }: { readonly report: ShownReport }): ReactElement {
  const { kind, text, version, author, at } = report
  return (
    <>
      <span className="row wrap-row">
        <Tag tone="warning">{showHidden(kind)}</Tag>
        <span className="wrap">{showHidden(text)}</span>
      </span>
      <span className="quiet wrap">
        {showHidden(version)}, {showHidden(author)}
        {at !== undefined && (
          <>
            , <Day at={at} />
          </>
        )}
      </span>
    </>
  )
}

function dismissal(name: string): Decision {
  return {
    title: 'Dismiss reports',
    effect: `The reports on ${showHidden(name)} are deleted. Nothing else changes.`,
    button: 'Dismiss them',
    field: 'reason',
    body: { action: 'dismiss', name },
  }
}
