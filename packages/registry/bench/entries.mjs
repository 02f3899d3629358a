#!/usr/bin/env node
// Publishes many entries in batches, and measures searching and listing: node packages/registry/bench/entries.mjs [count] [database] [--measure]
// With --measure the entries are in the database already. node --expose-gc shows memory without what is about to be freed.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, cpuUsage, memoryUsage, stdout } from 'node:process'
import { setTimeout as nextTurn } from 'node:timers/promises'

import { createRegistry } from '@parley/registry'

const count = Number(argv[2] ?? 100_000)
const batch = 500
const rounds = 200
const words =
  'weather maps routes files mail calendar music photos search code tests logs metrics deploy chat voice video notes tasks bank'.split(
    ' ',
  )
const pick = (at, step) => words[(at * step + Math.floor(at / words.length)) % words.length]

function documentOf(at) {
  const name = `io.github.user-${at % 5_000}/${pick(at, 7)}-${at}`
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: `${pick(at, 3)} ${pick(at, 11)}`,
    description: `A server for ${pick(at, 13)} and ${pick(at, 17)}, number ${at}`,
    version: `1.${at % 10}.0`,
    repository: { url: `https://github.com/user-${at % 5_000}/repo-${at}`, source: 'github' },
    packages: [
      {
        registryType: at % 3 === 0 ? 'pypi' : 'npm',
        identifier: `${pick(at, 7)}-${at}`,
        version: '1.0.0',
        transport: { type: 'stdio' },
        environmentVariables: [{ name: 'API_KEY', isSecret: true, description: 'The key' }],
      },
    ],
  }
}

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const database = argv[3] ?? join(folder, 'registry.db')
const registry = await createRegistry({ database })
const say = (text) => stdout.write(`${text}\n`)

try {
  if (argv[4] !== '--measure') await publish()
  await measure('search of two words', (at) => `x/search?q=${pick(at, 7)}+${pick(at, 13)}`)
  await measure('search of one word', (at) => `x/search?q=${pick(at, 7)}`)
  await measure('search of a rare word', (at) => `x/search?q=${(at * 487) % count}`)
  await measure('substring, rare', (at) => `servers?search=-${(at * 487) % count}`)
  await measure('substring, common', (at) => `servers?search=${pick(at, 7)}`)
  await measure('list, pages of 30', listPages())
  await measure('suggestions', (at) => `x/suggest?q=${pick(at, 7).slice(0, 4)}`)
  await measureMemory()
} finally {
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
}

async function publish() {
  const start = performance.now()
  const before = cpuUsage()
  const sizes = []
  for (let at = 0; at < count; at += batch) {
    const size = Math.min(batch, count - at)
    await registry.importDocuments(Array.from({ length: size }, (_, more) => documentOf(at + more)))
    if (at % Math.max(batch, count / 5) < batch) sizes.push(Math.round(memoryUsage().rss / 1e6))
  }
  say(`memory while publishing: ${sizes.join(', ')} MB`)
  const seconds = (performance.now() - start) / 1000
  const { user, system } = cpuUsage(before)
  const ofCpu = Math.round(count / ((user + system) / 1e6))
  say(
    `published ${count} in batches of ${batch}: ${Math.round(count / seconds)} a second by the clock, ${ofCpu} a second of CPU`,
  )
  if (argv[3] === undefined) say(`database: ${Math.round(statSync(database).size / 1e6)} MB`)
}

/** Thousands of requests of all kinds: what is held afterwards must not grow with them. */
async function measureMemory() {
  const sizes = []
  for (let round = 0; round < 12; round += 1) {
    for (let at = 0; at < 500; at += 1) {
      for (const path of [
        `x/search?q=${pick(at, 7)}+${pick(at, 13)}`,
        listPages()(at),
        `servers?search=${pick(at, 7)}`,
      ]) {
        const url = `http://localhost/v0.1/${path}`
        await (await registry.fetch(new Request(url))).text()
      }
    }
    globalThis.gc?.()
    await nextTurn() // statements that are no longer used are given back between two turns
    sizes.push(Math.round(memoryUsage().rss / 1e6))
  }
  say(`memory after each 1,500 requests: ${sizes.join(', ')} MB`)
}

/** Pages from all over the list. */
function listPages() {
  return (at) => {
    const first = `io.github.user-${(at * 37) % 5_000}/a:0`
    return `servers?cursor=${encodeURIComponent(first)}`
  }
}

async function measure(title, pathOf) {
  const times = []
  for (let at = 0; at < rounds; at += 1) {
    const before = cpuUsage()
    const response = await registry.fetch(new Request(`http://localhost/v0.1/${pathOf(at)}`))
    await response.text()
    const { user, system } = cpuUsage(before)
    times.push((user + system) / 1000)
    if (response.status !== 200) throw new Error(`${pathOf(at)} answers with ${response.status}`)
  }
  times.sort((one, other) => one - other)
  const at = (share) => times[Math.floor(times.length * share)].toFixed(2)
  say(`${title}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of CPU`)
}
