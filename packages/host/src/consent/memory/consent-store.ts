import { emptyMemory, withoutReply, type ConsentMemory } from './consent-memory.ts'

/** Where answers are kept beyond a session. */
export interface ConsentStore {
  /** Returns the stored memory; empty if there is none. */
  read(): Promise<ConsentMemory>
  /** Changes the stored memory as it is now, not as it was read: another process may have changed it. */
  change(update: (memory: ConsentMemory) => ConsentMemory): Promise<void>
}

/** Keeps answers as long as the process lives. */
export function createMemoryConsentStore(initial: ConsentMemory = emptyMemory): ConsentStore {
  let memory = initial
  return {
    read: async () => memory,
    async change(update) {
      memory = update(memory)
    },
  }
}

/** Forgets answers, so that their calls are asked about again. Says how many there were. */
export async function revokeAnswers(
  store: ConsentStore,
  isMeant: (answer: ConsentMemory['answers'][number]) => boolean,
): Promise<number> {
  let count = 0
  await store.change((memory) => {
    const meant = memory.answers.filter(isMeant)
    count = meant.length
    return meant.reduce((rest, { id }) => withoutReply(rest, id), memory)
  })
  return count
}
