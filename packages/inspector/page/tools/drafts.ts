import type { JsonValue } from '@parley/mcp'
import { create } from 'zustand'

/** What the user has filled in, per place; switching away and back loses nothing. */
const useDrafts = create<{ readonly [place: string]: JsonValue | undefined }>(() => ({}))

/** The draft of a place and how to change it; `first` is where it starts. */
export function useDraft(
  place: string,
  first: () => JsonValue,
): readonly [JsonValue | undefined, (value: JsonValue | undefined) => void] {
  const isKnown = useDrafts((drafts) => place in drafts)
  const draft = useDrafts((drafts) => drafts[place])
  return [isKnown ? draft : first(), (value) => setDraft(place, value)]
}

/** Fills a place from elsewhere. */
export function setDraft(place: string, value: JsonValue | undefined): void {
  useDrafts.setState({ [place]: value })
}
