import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** Tests keep their temporary files in one folder, which goes with the run: no test has to tidy up, and none can forget. */
export function setup(): (() => void) | undefined {
  if (env['PARLEY_TEST_FOLDER'] !== undefined) return undefined // another project of this run has made it
  const { TMPDIR: before } = env
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  chmodSync(folder, 0o755) // a database started by root runs as somebody else
  env['PARLEY_TEST_FOLDER'] = folder
  env['TMPDIR'] = folder
  return () => {
    delete env['PARLEY_TEST_FOLDER']
    if (before === undefined) delete env['TMPDIR']
    else env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
