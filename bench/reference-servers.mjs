/** What two reference servers take for large work: the filesystem server beside the official one, and the fetch server. */

import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const programOf = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Each program makes what it needs, measures in processes of its own and prints JSON. */
const parts = {
  'filesystem-search': {
    titleOf: (files) => `search_files over ${files.toLocaleString('en-US')} files, by stdio`,
    async measure({ quick, files: wanted = quick ? 10_000 : 200_000 }) {
      const args = ['--json', '--reference', '--files', String(wanted)]
      const { files, results } = await runJson('../servers/filesystem/bench/search.mjs', args)
      const rows = results
        .filter(({ tool }) => tool === 'search_files')
        .map(({ server, asked, ms, peakMiB, found }) => ({
          title: `${server === 'ours' ? 'parley' : 'official'}, ${asked}`,
          ms,
          peakMb: peakMiB === undefined ? undefined : peakMiB * 1.048576,
          yields: `${found.toLocaleString('en-US')} lines`,
        }))
      return { size: files, rows }
    },
  },
  'fetch-page': {
    titleOf: (bytes) =>
      `a page of ${bytes / 1e6} MB to markdown; memory above what was there before`,
    async measure({ quick }) {
      const kinds = quick ? ['article'] : ['article', 'scripts', 'tiny elements', 'a table']
      const rows = []
      for (const kind of kinds) {
        rows.push(await runJson('../servers/fetch/bench/page.mjs', [kind, '--json']))
      }
      return {
        size: rows[0].bytes,
        rows: rows.map(({ kind, ms, peakMb, markdown }) => ({
          title: `parley, ${kind}`,
          ms,
          peakMb,
          yields: `${markdown.toLocaleString('en-US')} characters`,
        })),
      }
    },
  },
}

/** All parts, one after the other; `files` is for who has less time still. */
export async function measureReferenceServers({ quick, files, onProgress, onResult }) {
  const results = []
  for (const [name, { titleOf, measure }] of Object.entries(parts)) {
    onProgress(name)
    const { size, rows } = await measure({ quick, files })
    const result = { name, title: titleOf(size), rows }
    results.push(result)
    onResult(result)
  }
  return results
}

/** One part as a table. */
export function renderReferenceServer({ name, title, rows }) {
  const width = Math.max(...rows.map((row) => row.title.length))
  return [
    `\n${name}: ${title}`,
    `  ${''.padEnd(width)}  ${'ms'.padStart(8)}  ${'peak MB'.padStart(8)}`,
    ...rows.map(({ title: what, ms, peakMb, yields }) => {
      const peak = peakMb === undefined ? '?' : peakMb.toFixed(1)
      const time = Math.round(ms).toLocaleString('en-US')
      return `  ${what.padEnd(width)}  ${time.padStart(8)}  ${peak.padStart(8)}  ${yields}`
    }),
  ].join('\n')
}

async function runJson(path, args) {
  const { stdout } = await run(execPath, ['--expose-gc', programOf(path), ...args])
  return JSON.parse(stdout)
}
