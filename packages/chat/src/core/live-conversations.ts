import type { Conversation, Host } from '@parley/host'

import type { ConversationStore, ConversationSummary } from '../store/conversation-store.ts'

/** A kept conversation that can go on. */
export interface LiveConversation {
  readonly summary: ConversationSummary
  readonly conversation: Conversation
}

/** Those that were used last stay in memory. */
export interface LiveConversations {
  /** Loads it if it is not there. Rejects if there is none of that id. */
  open(id: string): Promise<LiveConversation>
  update(summary: ConversationSummary): void
  forget(id: string): void
}

const maxStored = 16

export function createLiveConversations(
  host: Pick<Host, 'conversation'>,
  store: Pick<ConversationStore, 'load'>,
  isBusy: (id: string) => boolean,
): LiveConversations {
  const live = new Map<string, LiveConversation>()

  function keep(id: string, conversation: LiveConversation): LiveConversation {
    live.delete(id)
    live.set(id, conversation) // the newest is the last
    for (const old of live.keys()) {
      if (live.size <= maxStored) break
      if (old !== id && !isBusy(old)) live.delete(old)
    }
    return conversation
  }

  return {
    async open(id) {
      const existing = live.get(id)
      if (existing !== undefined) return keep(id, existing)
      const loaded = await store.load(id)
      if (loaded === undefined) throw new Error(`there is no conversation ${JSON.stringify(id)}`)
      const { transcript, ...summary } = loaded
      return keep(id, { summary, conversation: host.conversation(transcript) })
    },
    update(summary) {
      const existing = live.get(summary.id)
      if (existing !== undefined) live.set(summary.id, { ...existing, summary })
    },
    forget: (id) => void live.delete(id),
  }
}
