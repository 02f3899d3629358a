/** Numbers from 0 up to 1 that look random and are the same for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0
  // A Weyl sequence with a mixing step: plenty for choosing faults, useless for secrets.
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
