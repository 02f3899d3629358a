import type { JsonValue } from '@parley/mcp'
import { create } from 'zustand'

import { keepInSession, readSession } from '../session-memory.ts'

type Drafts = { readonly [key: string]: JsonValue | undefined }
type KeptDraft = readonly [place: string, value: JsonValue]

/** What the user has filled in, per place; switching away and back loses nothing, nor does a reload. */
const useDrafts = create<Drafts>(() =>
  Object.fromEntries((readSession('drafts', areDrafts) ?? []).toReversed()),
)

const keep = keepInSession('drafts', () =>
  Object.entries(useDrafts.getState())
    .filter(([, value]) => value !== undefined)
    .toReversed(),
)
useDrafts.subscribe(keep)

/** The draft of a place and how to change it; `first` is where it starts. */
export function useDraft(
  draftKey: string,
  first: () => JsonValue,
): readonly [JsonValue | undefined, (value: JsonValue | undefined) => void] {
  const isKnown = useDrafts((drafts) => draftKey in drafts)
  const draft = useDrafts((drafts) => drafts[draftKey])
  return [isKnown ? draft : first(), (value) => setDraft(draftKey, value)]
}

/** Fills a place from elsewhere. */
export function setDraft(draftKey: string, value: JsonValue | undefined): void {
  useDrafts.setState({ [draftKey]: value })
}

function areDrafts(value: unknown): value is readonly KeptDraft[] {
  return (
    Array.isArray(value) &&
    value.every(
      (candidate) =>
        Array.isArray(candidate) && candidate.length === 2 && typeof candidate[0] === 'string',
    )
  )
}
