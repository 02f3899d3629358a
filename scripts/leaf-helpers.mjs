#!/usr/bin/env node
/**
 * Fails on a second definition of a helper that everybody needs: by its name, or by its text under another name. A copy
 * is found by nobody who corrects the first.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

import { listFiles, root, shortPath } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/**
 * @typedef {object} LeafHelper
 * @property {string} home the file that defines it
 * @property {string} entry where other packages import it from
 * @property {RegExp} [text] how a copy under another name is written
 */

/** @type {Readonly<Record<string, LeafHelper>>} */
export const leafHelpers = {
  isJsonObject: {
    home: 'packages/mcp/src/schema/json.ts',
    entry: '@parley/mcp/json',
    text: /typeof (\w+) === 'object' && \1 !== null && !Array\.isArray\(\1\)/,
  },
  errorMessage: {
    home: 'packages/mcp/src/rpc/errors/on-error.ts',
    entry: '@parley/mcp/json',
    text: /(\w+) instanceof Error \? \1\.message : String\(\1\)/,
  },
  parseJsonObject: { home: 'packages/mcp/src/rpc/json/json-limits.ts', entry: '@parley/mcp/json' },
  sleep: { home: 'packages/mcp/src/rpc/signals.ts', entry: '@parley/mcp/signals' },
  waitAtMost: { home: 'packages/mcp/src/rpc/signals.ts', entry: '@parley/mcp/signals' },
  withTimeout: { home: 'packages/mcp/src/rpc/signals.ts', entry: '@parley/mcp/signals' },
  unlessAborted: { home: 'packages/mcp/src/rpc/signals.ts', entry: '@parley/mcp/signals' },
  createBackoff: { home: 'packages/mcp/src/rpc/backoff.ts', entry: '@parley/mcp/signals' },
  BoundedMap: {
    home: 'packages/mcp/src/rpc/bounded-map.ts',
    entry: '@parley/mcp/internal',
    text: /const \[oldest\] = (\w+)\.keys\(\)[^}]*\1\.delete\(oldest\)/,
  },
  createTokenBucket: { home: 'packages/mcp/src/rpc/rate.ts', entry: '@parley/mcp/internal' },
  readBounded: {
    home: 'packages/mcp/src/transport/read-bounded.ts',
    entry: '@parley/mcp/internal',
  },
}

/**
 * Every helper that a file defines again.
 *
 * @param {string} path relative to the repository, with forward slashes
 * @param {string} text
 * @returns {{ readonly line: number, readonly name: string, readonly helper: LeafHelper }[]}
 */
export function findCopies(path, text) {
  return Object.entries(leafHelpers).flatMap(([name, helper]) => {
    if (path === helper.home) return []
    const definition = new RegExp(
      `^(?:export )?(?:async )?(?:function|class|const) ${name}\\b`,
      'm',
    )
    const found = definition.exec(text) ?? helper.text?.exec(text)
    return found ? [{ line: text.slice(0, found.index).split('\n').length, name, helper }] : []
  })
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  let isOk = true
  for (const { folder } of readWorkspaces(root)) {
    for (const sources of ['src', 'page']) {
      for (const file of listFiles(join(root, folder, sources))) {
        if (!/\.tsx?$/.test(file)) continue
        const path = shortPath(file)
        for (const { line, name, helper } of findCopies(path, readFileSync(file, 'utf8'))) {
          isOk = false
          console.error(
            `${path}:${line}: ${name} is defined in ${helper.home}: import it from ${helper.entry}`,
          )
        }
      }
    }
  }
  if (!isOk) exit(1)
}
