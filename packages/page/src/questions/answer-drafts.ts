import type { JsonValue } from '@parley/mcp'
import { create } from 'zustand'

/** More are forgotten, the oldest first. */
const maxDrafts = 100

/** Answers that are being written, by question. Only in memory: they can hold anything a person was asked for. */
const useDrafts = create<{ readonly drafts: ReadonlyMap<string, JsonValue | undefined> }>(() => ({
  drafts: new Map(),
}))

/** The answer to a question as far as it is written, wherever it is shown; `first` is where it starts. */
export function useAnswerDraft(
  id: string,
  first: JsonValue,
  isOpen: (id: string) => boolean = () => true,
): readonly [JsonValue | undefined, (value: JsonValue | undefined) => void] {
  const isKnown = useDrafts(({ drafts }) => drafts.has(id))
  const draft = useDrafts(({ drafts }) => drafts.get(id))
  return [isKnown ? draft : first, (value) => keep(id, value, isOpen)]
}

/** What belongs to a question that waits no more goes. */
function keep(id: string, value: JsonValue | undefined, isOpen: (id: string) => boolean): void {
  useDrafts.setState(({ drafts }) => {
    const others = [...drafts].filter(([draftId]) => draftId !== id && isOpen(draftId))
    return { drafts: new Map([...others.slice(1 - maxDrafts), [id, value]]) }
  })
}
