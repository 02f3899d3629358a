import { supportedRevisions, type Revision } from '@parley/mcp'

import { isThorough } from './thorough.ts'

const chosen: readonly Revision[] = ['2024-11-05', '2025-11-25', '2026-07-28']

/**
 * Revisions for tests of a program that leaves them to the SDK: by day the oldest, the last one with sessions, and the newest,
 * of which each has something that the others lack; all of them when tests are to be thorough.
 */
export const triedRevisions = supportedRevisions.filter(
  (revision) => isThorough || chosen.includes(revision),
)
