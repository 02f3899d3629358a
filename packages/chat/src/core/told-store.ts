import type { ConversationStore, ConversationSummary } from '../store/conversation-store.ts'

/** What is told about conversations. */
export type ConversationChange = ConversationSummary | { readonly removed: string }

/** The same store; what changes is told. */
export function toldStore(
  store: ConversationStore,
  tell: (change: ConversationChange) => void,
): ConversationStore {
  const told = async (changed: Promise<ConversationSummary>): Promise<ConversationSummary> => {
    const summary = await changed
    tell(summary)
    return summary
  }
  return {
    append: (id, entries) => store.append(id, entries),
    list: (options) => store.list(options),
    load: (id) => store.load(id),
    create: (about) => told(store.create(about)),
    change: (id, change) => told(store.change(id, change)),
    fork: (id, turns) => told(store.fork(id, turns)),
    revise: (id, turn) => told(store.revise(id, turn)),
    versions: (id) => store.versions(id),
    async remove(id) {
      await store.remove(id)
      tell({ removed: id })
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
