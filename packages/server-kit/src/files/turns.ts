/** Runs work on the same thing one after the other, and on different things at once. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Models call tools side by side: of two edits of one file the second begins with what the first has left. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
