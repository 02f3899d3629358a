/** Numbers that look random and follow from a seed, so that a failure can be looked at again: mulberry32. */

/** @typedef {ReturnType<typeof createRandom>} Random */

/** @param {number} seed */
export function createRandom(seed) {
  let state = seed >>> 0

  /** From 0 to 1, without 1. */
  function share() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. @param {number} least @param {number} most */
  function between(least, most) {
    return least + Math.floor(share() * (most - least + 1))
  }

  return { share, between }
}
