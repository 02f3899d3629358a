import { revisions } from '@parley/mcp'

import { CliError } from '../exit.ts'

/** What the checks speak: the newest revision of each era. */
export const checkedRevisions = { legacy: '2025-11-25', modern: '2026-07-28' } as const

/** Which revisions to speak; undefined for none of that era. */
export interface SupportedRevisions {
  readonly legacy: string | undefined
  readonly modern: string | undefined
}

/** One era, or one revision of it, if that was asked for. */
export function revisionsOf(era = 'auto'): SupportedRevisions {
  const { legacy, modern } = checkedRevisions
  if (era === 'auto') return checkedRevisions
  if (era === 'legacy') return { legacy, modern: undefined }
  if (era === 'modern' || era === modern) return { legacy: undefined, modern }
  if ((revisions as readonly string[]).includes(era)) {
    return { legacy: era, modern: undefined }
  }
  throw new CliError('error', `--era ${era} is unknown`, {
    hint: `Use auto, legacy, modern, ${revisions.join(', ')}.`,
  })
}
