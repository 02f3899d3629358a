/** What the checks speak: the newest revision of each era. */
export const checkedRevisions = { handshake: '2025-11-25', standalone: '2026-07-28' } as const

/** Which revisions to speak; undefined for none of that era. */
export interface SpokenRevisions {
  readonly handshake: string | undefined
  readonly standalone: string | undefined
}
