import type { ConversationStore, ConversationSummary } from '../store/conversation-store.ts'

/** What is told about conversations. */
export type ConversationChange = ConversationSummary | { readonly removed: string }

/** The same store; what changes is told. */
export function notifyingStore(
  store: ConversationStore,
  notify: (change: ConversationChange) => void,
): ConversationStore {
  const notifying = async (changed: Promise<ConversationSummary>): Promise<ConversationSummary> => {
    const summary = await changed
    notify(summary)
    return summary
  }
  return {
    append: (id, entries) => store.append(id, entries),
    list: (options) => store.list(options),
    load: (id) => store.load(id),
    create: (about) => notifying(store.create(about)),
    change: (id, change) => notifying(store.change(id, change)),
    fork: (id, turns) => notifying(store.fork(id, turns)),
    revise: (id, turn) => notifying(store.revise(id, turn)),
    versions: (id) => store.versions(id),
    async remove(id) {
      await store.remove(id)
      notify({ removed: id })
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
