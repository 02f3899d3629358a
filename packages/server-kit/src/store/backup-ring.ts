import { copyFile, link, stat, unlink } from 'node:fs/promises'

import { replaceFile } from '@parley/mcp/system'

/** How many old versions are kept, and how far apart. */
export interface BackupOptions {
  /** @defaultValue 3 */
  readonly keep: number
  /** The newest is at least this old before another is made, so that a ring of few reaches far back. */
  readonly everyMs: number
}

/**
 * Gives the file that is about to be replaced a second name, `….backup-1`, and those before it the next number. No bytes
 * are copied where the file system has links.
 */
export async function keepBackup(path: string, { keep, everyMs }: BackupOptions): Promise<void> {
  if (keep < 1) return
  const name = (number: number) => `${path}.backup-${number}`
  const newest = await stat(name(1)).catch(() => undefined)
  const there = await stat(path).catch(() => undefined)
  if (there === undefined || (newest && Date.now() - newest.ctimeMs < everyMs)) return
  for (let number = keep - 1; number >= 1; number -= 1) {
    await replaceFile(name(number), name(number + 1)).catch(() => {}) // there are not that many yet
  }
  await unlink(name(1)).catch(() => {}) // with a ring of one
  await link(path, name(1)).catch(() => copyFile(path, name(1)))
}
