import { vi } from 'vitest'

/**
 * `vi.waitFor` gives up after a second, which a busy machine may need for anything. What is waited for comes or does not:
 * here it has nearly as long as most tests have, and whoever wants less or more says so.
 */
const patient = Symbol.for('parley.patient')

if (!(patient in vi.waitFor)) {
  const waitFor = vi.waitFor.bind(vi)
  const wait: typeof vi.waitFor = (callback, options = 45_000) => waitFor(callback, options)
  vi.waitFor = Object.assign(wait, { [patient]: true }) // once: test files share a process
}
