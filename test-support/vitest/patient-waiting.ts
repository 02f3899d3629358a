import { vi } from 'vitest'

const timeout = 45_000

/**
 * `vi.waitFor` gives up after a second, which a busy machine may need for anything. A test that waits for an event waits until
 * it comes: here it has nearly as long as most tests have.
 */
const patient = Symbol.for('parley.patient')

if (!(patient in vi.waitFor)) {
  const waitFor = vi.waitFor.bind(vi)
  const wait: typeof vi.waitFor = (callback, options = {}) =>
    waitFor(callback, typeof options === 'number' ? options : { timeout, ...options })
  vi.waitFor = Object.assign(wait, { [patient]: true }) // once: test files share a process
}
