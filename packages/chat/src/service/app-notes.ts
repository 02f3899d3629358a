import type { AppNote } from '@parley/host'

/** What apps that are shown want the model to know with the next thing that is said. */
export interface AppNotes {
  /** Replaces what this app wanted before; a note without content takes it back. */
  set(conversation: string, app: string, note: AppNote): void
  /** Those of a conversation, oldest first. */
  of(conversation: string): readonly AppNote[]
  /** They were given to the model. */
  clear(conversation: string): void
}

/** An app that makes up conversations or apps fills no memory: the oldest are forgotten. */
const maxNotes = 200

export function createAppNotes(): AppNotes {
  const notes = new Map<string, { readonly conversation: string; readonly note: AppNote }>()

  return {
    set(conversation, app, note) {
      const key = JSON.stringify([conversation, note.server, app])
      notes.delete(key)
      const isEmpty = (note.content ?? []).length === 0 && note.structuredContent === undefined
      if (!isEmpty) notes.set(key, { conversation, note })
      for (const oldest of notes.keys()) {
        if (notes.size <= maxNotes) break
        notes.delete(oldest)
      }
    },
    of: (conversation) =>
      [...notes.values()]
        .filter((note) => note.conversation === conversation)
        .map(({ note }) => note),
    clear(conversation) {
      for (const [key, note] of notes) if (note.conversation === conversation) notes.delete(key)
    },
  }
}
