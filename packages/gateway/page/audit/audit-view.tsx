import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { AuditEntry, AuditVerification } from '@parley/foundation/audit'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { DataTable, Empty, formatMoment, Note, showProblem, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { useStore } from '../store.ts'

/** The requests, decisions and results, and whether the log was changed afterwards. */
export function AuditView(): ReactElement {
  const hasAudit = useStore((store) => store.state?.has.audit ?? false)
  if (!hasAudit) {
    return (
      <Empty icon="list" title="This gateway writes no audit">
        Add <code>audit: audit.jsonl</code> to its file: then each request, and each change made on
        this page, has a line there.
      </Empty>
    )
  }
  return <Entries />
}

const types = [
  { value: '', label: 'Everything' },
  { value: 'decision', label: 'Requests' },
  { value: 'operation', label: 'Changes made by people' },
  { value: 'finding', label: 'Findings of patterns' },
  { value: 'quarantine', label: 'New and changed definitions' },
]

function Entries(): ReactElement {
  const [text, setText] = useState('')
  const [type, setType] = useState('')
  const [outcome, setOutcome] = useState('')
  const [before, setBefore] = useState<number>()
  const asked = useAsked(
    () =>
      openChannel().ask('audit/page', {
        ...(text !== '' && { text }),
        ...(type !== '' && { type }),
        ...(outcome !== '' && { outcome }),
        ...(before !== undefined && { before }),
      }),
    [text, type, outcome, before],
  )
  return (
    <div className="view">
      <div className="row wrap-row">
        <TextInput
          aria-label="Search the audit"
          placeholder="A caller, a tool, a reason"
          data-search
          value={text}
          leftSection={<Icon name="search" size={14} />}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setBefore(undefined)
          }}
        />
        <NativeSelect
          aria-label="Kind of entry"
          value={type}
          data={types}
          onChange={(event) => {
            setType(event.currentTarget.value)
            setBefore(undefined)
          }}
        />
        <NativeSelect
          aria-label="Outcome"
          value={outcome}
          data={[
            { value: '', label: 'Any outcome' },
            ...['passed', 'refused', 'unanswered', 'done', 'failed'].map((value) => ({
              value,
              label: value,
            })),
          ]}
          onChange={(event) => {
            setOutcome(event.currentTarget.value)
            setBefore(undefined)
          }}
        />
        <Button
          variant="default"
          onClick={() => (asked.state === 'loading' ? undefined : asked.retry())}
        >
          Read again
        </Button>
        <Verify />
      </div>
      <Answer asked={asked} name="The audit">
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <Empty icon="search" title="No entry matches" />
          ) : (
            <div className="card">
              <DataTable
                label="Entries, newest first"
                columns={['Number', 'When', 'Who', 'What', 'Outcome']}
              >
                {entries.map((entry) => (
                  <EntryRow key={entry.seq} entry={entry} />
                ))}
              </DataTable>
              <div className="row pad">
                {before !== undefined && (
                  <Button variant="default" size="xs" onClick={() => setBefore(undefined)}>
                    Newest
                  </Button>
                )}
                {hasMore && (
                  <Button
                    variant="default"
                    size="xs"
                    onClick={() => setBefore(entries.at(-1)?.seq)}
                  >
                    Older
                  </Button>
                )}
              </div>
            </div>
          )
        }
      </Answer>
    </div>
  )
}

function EntryRow({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const { seq, at, record } = entry
  const outcome = textOf(record['outcome'])
  const isBad = outcome === 'refused' || outcome === 'failed' || outcome === 'unanswered'
  return (
    <>
      <tr>
        <td className="number">{seq}</td>
        <td>{formatMoment(Date.parse(at))}</td>
        <td className="wrap">
          <PlainText text={whoOf(textOf(record['caller'])) || textOf(record['by'])} most={120} />
        </td>
        <td className="wrap audit-what">
          <button
            type="button"
            className="link-button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <PlainText text={whatOf(record)} most={200} />
          </button>
          {record['reason'] !== undefined && (
            <div className="state-reason">
              <PlainText text={textOf(record['reason'])} most={500} />
            </div>
          )}
        </td>
        <td>{outcome !== '' && <Tag tone={isBad ? 'bad' : 'good'}>{outcome}</Tag>}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <JsonTree value={entry} label={`Entry ${seq}`} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Issuer and subject, as the audit keeps them; the subject says enough. */
function whoOf(principal: string): string {
  const [, subject] = /^\["(?:[^"\\]|\\.)*","((?:[^"\\]|\\.)*)"\]$/.exec(principal) ?? []
  return subject ?? principal
}

function whatOf(record: AuditEntry['record']): string {
  const what = textOf(record['method']) || textOf(record['action']) || textOf(record['type'])
  const name = textOf(record['exposedName']) || textOf(record['name'])
  const upstream = textOf(record['upstream'])
  return [what, name, upstream !== '' && !name.startsWith(upstream) ? `(${upstream})` : '']
    .filter((part) => part !== '')
    .join(' ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function Verify(): ReactElement {
  const [found, setFound] = useState<AuditVerification>()
  const [isBusy, setIsBusy] = useState(false)
  const verify = async () => {
    setIsBusy(true)
    try {
      setFound(await openChannel().ask('audit/verify', {}))
    } catch (error) {
      showProblem(error, 'The audit cannot be verified')
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void verify()}>
        Verify the chain
      </Button>
      {found && (
        <div className="verdict" role="status">
          <Note
            tone={found.isIntact ? 'good' : 'bad'}
            title={
              found.isIntact
                ? `${found.entries} entries, none changed, removed or put in`
                : 'The log is not as it was written'
            }
          >
            {found.problems.map(({ file, line, message }) => (
              <div key={`${file} ${line} ${message}`} className="wrap">
                {file}:{line}: {message}
              </div>
            ))}
            {found.notes.map(({ file, line, message }) => (
              <div key={`${file} ${line} ${message}`} className="wrap quiet">
                {file}:{line}: {message}
              </div>
            ))}
          </Note>
        </div>
      )}
    </>
  )
}
