#!/usr/bin/env node
/**
 * Searches a tree of many files and prints how long it took and how much memory it held.
 *
 *   node servers/filesystem/bench/search.mjs [--files 200000] [--reference]
 *
 * The program is started over stdio as a client would; `--reference` measures the reference server too.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { connect } from '@parley/mcp/client'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '200000' },
    reference: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const files = Number(values.files)
const perFolder = 200

const own = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'parley-search-'))
try {
  fill(root)
  const results = []
  for (const [name, program] of programs()) results.push(...(await measure(name, program)))
  if (values.json) console.log(JSON.stringify({ files, results }))
  else print(results)
} finally {
  rmSync(root, { recursive: true, force: true })
}

function* programs() {
  yield ['ours', [own, '--enable', 'all', root]]
  if (!values.reference) return
  const folder = import.meta.resolve('@modelcontextprotocol/server-filesystem/package.json')
  yield ['reference', [fileURLToPath(new URL('dist/index.js', folder)), root]]
}

/** Three levels, with as many files in each folder of the last. */
function fill(top) {
  for (let folder = 0; folder * perFolder < files; folder += 1) {
    const path = join(top, `area-${folder % 10}`, `part-${folder % 100}`, `folder-${folder}`)
    mkdirSync(path, { recursive: true })
    const count = Math.min(perFolder, files - folder * perFolder)
    for (let file = 0; file < count; file += 1) {
      const kind = file % 100 === 0 ? 'md' : 'txt'
      writeFileSync(join(path, `file-${file}.${kind}`), kind === 'md' ? 'a needle in it\n' : '')
    }
  }
}

async function measure(name, args) {
  const client = await connect({ command: execPath, args })
  const results = []
  const cases = [
    ['search_files', { path: root, pattern: '**/*.md' }],
    ['search_files', { path: root, pattern: '**/nothing-like-this' }],
    ...(name === 'ours'
      ? [
          ['find_files', { path: root, pattern: '**', limit: 1_000 }],
          ['grep_files', { path: root, pattern: 'needle', include: '**/*.md', limit: 1_000 }],
        ]
      : []),
  ]
  for (const [tool, call] of cases) {
    const started = performance.now()
    const { content } = await client.callTool(tool, call)
    const ms = Math.round(performance.now() - started)
    const found = content[0].text.split('\n').length
    results.push({ server: name, tool, asked: call.pattern, ms, found })
  }
  const peakMiB = peakOf(childPid())
  await client.close()
  return results.map((result) => ({ ...result, peakMiB }))
}

/** The only child there is. */
function childPid() {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  return Number(children.trim().split(' ').at(-1))
}

/** What the process held at most, as Linux counts it; undefined elsewhere. */
function peakOf(pid) {
  try {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
  } catch {
    return undefined
  }
}

function print(results) {
  console.log(`${files} files`)
  for (const { server, tool, asked, ms, found, peakMiB } of results) {
    const what = `${server} ${tool} ${asked}`.padEnd(50)
    console.log(
      `${what} ${String(ms).padStart(7)} ms ${String(found).padStart(7)} lines, peak ${peakMiB} MiB`,
    )
  }
}
