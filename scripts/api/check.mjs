#!/usr/bin/env node
/** `npm run check -- api` compares the reports in `api/` with what was built; `npm run api` writes them. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'

import { root } from '../source-files.mjs'
import { changedLines } from './changed-lines.mjs'
import { makeReports } from './report.mjs'

const reports = makeReports()
mkdirSync(join(root, 'api'), { recursive: true })
const former = readdirSync(join(root, 'api'))
  .map((name) => `api/${name}`)
  .filter((path) => path.endsWith('.md') && !reports.has(path))

if (argv.includes('--write')) {
  for (const [path, text] of reports) writeFileSync(join(root, path), text)
  for (const path of former) rmSync(join(root, path))
} else {
  const problems = [...reports].flatMap(([path, text]) => {
    const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
    return before === text ? [] : [`${path}\n${changedLines(before, text).join('\n')}`]
  })
  problems.push(...former.map((path) => `${path}: there is no such package any more`))
  for (const problem of problems) console.error(`${problem}\n`)
  if (problems.length > 0) exit(1)
}
