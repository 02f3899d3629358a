/**
 * Calls back when everything that is ready has run: no time passes, so it is no timer of a clock. It is the function found
 * when this was loaded: output and calls go on in a program that replaces timers later, as tests with fake timers do.
 */
export const afterThisTurn: (callback: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0)
