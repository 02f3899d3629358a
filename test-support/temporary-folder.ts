import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

/**
 * A folder with these files, gone after the test. Values that are no text are written as JSON. A test that runs beside others
 * says what its own `onTestFinished` is.
 */
export function folderWith(
  files: { readonly [path: string]: unknown },
  whenFinished: (clean: () => void) => void = onTestFinished,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  whenFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return folder
}
