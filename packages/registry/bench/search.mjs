#!/usr/bin/env node
// Measures searching, and counts how many queries find what they should first: node packages/registry/bench/search.mjs [count] [database] [--measure]
// With --measure the catalogue is in the database already. A postgres: URL measures PostgreSQL.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, cpuUsage, memoryUsage, stdout } from 'node:process'

import { createRegistry } from '@parley/registry'

import { catalogue } from './catalogue.mjs'

const count = Number(argv[2] ?? 100_000)
const rounds = 10
const queries = JSON.parse(readFileSync(new URL('search-queries.json', import.meta.url), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const registry = await createRegistry({ database: argv[3] ?? join(folder, 'registry.db') })
const say = (text) => stdout.write(`${text}\n`)

try {
  if (argv[4] !== '--measure') await publish()
  await measure()
} finally {
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
}

async function publish() {
  const documents = catalogue(count)
  const before = cpuUsage()
  for (let at = 0; at < count; at += 500) {
    await registry.importDocuments(documents.slice(at, at + 500))
  }
  const { user, system } = cpuUsage(before)
  say(`published ${count}: ${Math.round(count / ((user + system) / 1e6))} a second of CPU`)
}

async function measure() {
  const cpu = []
  const clock = []
  let right = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const { q, first } of queries) {
      const start = performance.now()
      const before = cpuUsage()
      const url = `http://localhost/v0.1/x/search?q=${encodeURIComponent(q)}`
      const { servers } = await (await registry.fetch(new Request(url))).json()
      const { user, system } = cpuUsage(before)
      cpu.push((user + system) / 1000)
      clock.push(performance.now() - start)
      const isRight = first.every((name, at) => servers[at]?.server.name === name)
      if (isRight) right += 1
      else if (round === 0)
        say(
          `${q}: ${servers
            .slice(0, 3)
            .map(({ server }) => server.name)
            .join(', ')}`,
        )
    }
  }
  say(`found first: ${right / rounds} of ${queries.length}`)
  say(
    `CPU: ${shares(cpu)}; by the clock: ${shares(clock)}; memory ${Math.round(memoryUsage().rss / 1e6)} MB`,
  )
}

function shares(times) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share) => sorted[Math.floor(sorted.length * share)].toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
}
