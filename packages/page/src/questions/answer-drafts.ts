import type { JsonValue } from '@parley/mcp'
import { create } from 'zustand'

import { useStore } from '../store.ts'

/** Answers that are being written, by question. Only in memory: they can hold anything a person was asked for. */
const useDrafts = create<{ readonly drafts: ReadonlyMap<string, JsonValue | undefined> }>(() => ({
  drafts: new Map(),
}))

/** The answer to a question as far as it is written, wherever it is shown; `first` is where it starts. */
export function useAnswerDraft(
  id: string,
  first: JsonValue,
): readonly [JsonValue | undefined, (value: JsonValue | undefined) => void] {
  const isKnown = useDrafts(({ drafts }) => drafts.has(id))
  const draft = useDrafts(({ drafts }) => drafts.get(id))
  return [isKnown ? draft : first, (value) => keep(id, value)]
}

/** What belongs to a question that waits no more goes. */
function keep(id: string, value: JsonValue | undefined): void {
  const { questions } = useStore.getState()
  const open = new Set(questions.flatMap((one) => (one.state === 'open' ? [one.id] : [])))
  useDrafts.setState(({ drafts }) => ({
    drafts: new Map([...[...drafts].filter(([known]) => open.has(known)), [id, value]]),
  }))
}
