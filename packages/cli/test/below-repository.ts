import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { repositoryFile } from './run.ts'

/** A folder where `@parley/mcp` and the rest are found as after `npm install`; gone after the test, or when `whenOver` says so. */
export function folderBelowRepository(whenOver = onTestFinished): string {
  const place = repositoryFile('.parley/tests')
  mkdirSync(place, { recursive: true })
  const folder = mkdtempSync(join(place, 'cli-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
