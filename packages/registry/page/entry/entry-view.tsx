import { Loader } from '@mantine/core'
import { BackButton, CopyText, Note, ProblemNote, showHidden } from '@parley/page/parts'
import { useEffect, type ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import { useAsked } from '../ask.ts'
import { EntryIcon } from '../entry-icon.tsx'
import { EntryModeration } from '../moderation/entry-moderation.tsx'
import { readEntries, type Entry } from '../read-entry.ts'
import { StatusTag } from '../status-tag.tsx'
import { TrustMark } from '../trust.tsx'
import { DifferencesCard } from './differences-card.tsx'
import { FactsCard } from './facts-card.tsx'
import { InstallCard } from './install-card.tsx'
import { MetaCard } from './meta-card.tsx'
import { TargetsCard } from './targets-card.tsx'
import { ToolsCard } from './tools-card.tsx'
import { VersionsCard } from './versions-card.tsx'

/** One server: how to use it, what it is, its versions, and what changed between them. */
export function EntryView({ name }: { readonly name: string }): ReactElement {
  const version = useAddress((address) => address.version)
  const path = `servers/${encodeURIComponent(name)}/versions?include_deleted=true`
  const { value: entries, problem, retry } = useAsked(path, readEntries)
  const entry = entries && pickVersion(entries, version)
  const title = entry?.title ?? name
  useEffect(() => {
    document.title = `${title} · Parley Registry`
  }, [title])
  const back = <BackButton label="All servers" onClick={() => go({ server: undefined })} />

  if (problem !== undefined) {
    const isClosed = problem.code === '404'
    return (
      <>
        {back}
        <div className="pad">
          <ProblemNote
            problem={
              isClosed
                ? { ...problem, message: `There is no server ${showHidden(name)}.` }
                : problem
            }
            title="It cannot be shown"
            retry={retry}
          />
        </div>
      </>
    )
  }
  if (entries === undefined) {
    return (
      <>
        {back}
        <div className="row quiet pad" role="status">
          <Loader size={14} /> Fetching {showHidden(name)}…
        </div>
      </>
    )
  }
  return (
    <>
      {back}
      <article className="entry" aria-label={showHidden(title)}>
        {entry === undefined ? (
          <Note tone="warning" title={`There is no version ${showHidden(version ?? '')}`}>
            Pick another one below.
          </Note>
        ) : (
          <Head entry={entry} />
        )}
        <div className="entry-columns">
          <div className="stack">
            {entry && entry.status !== 'deleted' && <InstallCard entry={entry} />}
            {entry && entry.status !== 'deleted' && <ToolsCard entry={entry} />}
            {entry && entries.length > 1 && <DifferencesCard entry={entry} entries={entries} />}
          </div>
          <div className="stack">
            {entry && <FactsCard entry={entry} />}
            {entry && <TargetsCard entry={entry} />}
            {entry && <EntryModeration entry={entry} onChanged={retry} />}
            <VersionsCard entries={entries} shown={entry} />
            {entry && <MetaCard entry={entry} />}
          </div>
        </div>
      </article>
    </>
  )
}

function Head({ entry }: { readonly entry: Entry }): ReactElement {
  const { name, title, version, description, status, statusMessage, flags } = entry
  return (
    <>
      <header className="entry-head">
        <EntryIcon entry={entry} size={52} />
        <div className="stack-tight grow">
          <div className="row wrap-row">
            <h1 className="wrap">{showHidden(title ?? name)}</h1>
            <StatusTag entry={entry} />
          </div>
          <div className="entry-about">
            <span className="row">
              <code className="mono wrap">{showHidden(name)}</code>
              <CopyText text={name} label="Copy the name" />
            </span>
            <span className="number">{showHidden(version)}</span>
            <TrustMark entry={entry} />
          </div>
        </div>
      </header>
      <p className="entry-text wrap">{showHidden(description)}</p>
      {status !== 'active' && (
        <Note
          tone={status === 'deleted' ? 'bad' : 'warning'}
          title={
            status === 'deleted'
              ? 'This version was deleted'
              : `This version is ${showHidden(status)}`
          }
        >
          {statusMessage === undefined ? undefined : showHidden(statusMessage)}
        </Note>
      )}
      {flags.map((flag) => (
        <Note key={flag} tone="warning" title="Look twice">
          This name {showHidden(flag)}.
        </Note>
      ))}
    </>
  )
}

/** The one that was asked for, else the latest, else the newest. */
function pickVersion(entries: readonly Entry[], version: string | undefined): Entry | undefined {
  if (version !== undefined) return entries.find((entry) => entry.version === version)
  return entries.find(({ isLatest }) => isLatest) ?? entries[0]
}
