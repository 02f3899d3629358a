import { SafeLink, showHidden } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { AddressLink } from '../address-link.tsx'
import { Day } from '../day.tsx'
import type { Entry } from '../read-entry.ts'
import { TrustMark } from '../trust.tsx'
import { Card } from './card.tsx'
import { ReportButton } from './report-button.tsx'

/** Who published it and when, and where there is more to read. */
export function FactsCard({ entry }: { readonly entry: Entry }): ReactElement {
  const { name, website, repository, publishedAt, updatedAt } = entry
  const publisher = name.slice(0, Math.max(0, name.indexOf('/')))
  return (
    <Card title="Publisher" action={<ReportButton entry={entry} />}>
      <dl className="facts">
        <dt>Namespace</dt>
        <dd>
          <AddressLink to={{ server: undefined, text: '', facets: { publisher } }}>
            {showHidden(publisher)}
          </AddressLink>
        </dd>
        <dt>Proof</dt>
        <dd>
          <TrustMark entry={entry} />
          {entry.proof?.at !== undefined && (
            <>
              {', '}
              <Day at={entry.proof.at} />
            </>
          )}
        </dd>
        {website !== undefined && (
          <>
            <dt>Web site</dt>
            <dd>
              <SafeLink url={website} />
            </dd>
          </>
        )}
        {repository !== undefined && (
          <>
            <dt>Sources</dt>
            <dd>
              <SafeLink url={repository} />
            </dd>
          </>
        )}
        {publishedAt !== undefined && (
          <>
            <dt>Published</dt>
            <dd>
              <Day at={publishedAt} />
            </dd>
          </>
        )}
        {updatedAt !== undefined && updatedAt !== publishedAt && (
          <>
            <dt>Updated</dt>
            <dd>
              <Day at={updatedAt} />
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
