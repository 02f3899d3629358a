import type { Diagnose } from '@parley/inspector'

/** `parley doctor` for a program: each step on the way to a server, as it was taken. */
export const diagnose: Diagnose = async function* (entry, { name, signal }) {
  const { examine } = await import('../commands/doctor.ts')
  yield* examine({ name, entry }, { options: { signal } })
}
