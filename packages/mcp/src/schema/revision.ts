/** Every revision of the protocol, oldest first. `supportedRevisions` are those this version speaks. */
export const revisions = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
] as const

/** The date that names one revision of the protocol. */
export type Revision = (typeof revisions)[number]
