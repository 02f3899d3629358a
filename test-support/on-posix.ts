/** For what Windows does not have: a shell at `/bin/sh`, named pipes, `/proc`, modes of files, signals. Skipped there. */

import process from 'node:process'

import { describe, test } from 'vitest'

const isWindows = process.platform === 'win32'

/** A test that runs everywhere but on Windows. */
export const testOnPosix = test.skipIf(isWindows)

/** Tests that run everywhere but on Windows. */
export const describeOnPosix = describe.skipIf(isWindows)
