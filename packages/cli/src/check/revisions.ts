import { revisions } from '@parley/mcp'

import { CliError } from '../exit.ts'

/** What the checks speak: the newest revision of each era. */
export const checkedRevisions = { handshake: '2025-11-25', standalone: '2026-07-28' } as const

/** Which revisions to speak; undefined for none of that era. */
export interface SpokenRevisions {
  readonly handshake: string | undefined
  readonly standalone: string | undefined
}

/** One era, or one revision of it, if that was asked for. */
export function revisionsOf(era = 'auto'): SpokenRevisions {
  const { handshake, standalone } = checkedRevisions
  if (era === 'auto') return checkedRevisions
  if (era === 'legacy') return { handshake, standalone: undefined }
  if (era === 'modern' || era === standalone) return { handshake: undefined, standalone }
  if ((revisions as readonly string[]).includes(era)) {
    return { handshake: era, standalone: undefined }
  }
  throw new CliError('error', `--era ${era} is unknown`, {
    hint: `Use auto, legacy, modern, ${revisions.join(', ')}.`,
  })
}
