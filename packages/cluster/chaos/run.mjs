#!/usr/bin/env node
/** `npm run chaos`: breaks a cluster in every way its failure contract names. `--help` says what can be asked for. */

import process, { argv, exit } from 'node:process'

import { findRedis, installRedis } from '@parley/cluster/testing'

import { readArguments, usage, UsageError } from './arguments.mjs'
import { createWorlds, playScenario } from './play.mjs'
import { hasPostgres, installPostgres } from './postgres-process.mjs'
import { formatFaults, formatTable } from './report.mjs'

// Leaving so ends all processes that were started; a signal by itself would not.
process.on('SIGINT', () => exit(130))
process.on('SIGTERM', () => exit(143))

/** @param {string} store */
function missingStore(store) {
  if (store === 'redis')
    return findRedis() === undefined ? `redis-server was not found: ${installRedis}` : undefined
  return hasPostgres ? undefined : `postgres was not found: ${installPostgres}`
}

/** One line that overwrites itself, only where someone is looking. @param {string} text */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

async function main() {
  const { help, list, scenarios, ...choice } = readArguments(argv.slice(2))
  if (help) return console.log(usage)
  if (list)
    return console.log(
      scenarios.map(({ name, target }) => `${name.padEnd(18)}${target}`).join('\n'),
    )
  const missing = missingStore(choice.store)
  if (missing !== undefined) throw new UsageError(missing)

  console.log(`${choice.store}, seed ${choice.seed}, ${choice.rounds} rounds of each`)
  const worlds = createWorlds()
  const verdicts = []
  try {
    for (const scenario of scenarios) {
      const verdict = await playScenario(scenario, worlds, { ...choice, onProgress: showProgress })
      showProgress('')
      verdicts.push(verdict)
      const { faults, notes, seen, seconds } = verdict
      console.log(
        `${faults.length === 0 ? '✓' : '✗'} ${scenario.name.padEnd(18)}${seen} (${seconds.toFixed(0)} s)`,
      )
      for (const note of notes) console.log(`    ${note}`)
      for (const { seed, fault } of faults.slice(0, 3)) console.log(`    seed ${seed}: ${fault}`)
    }
  } finally {
    await worlds.close()
  }
  console.log(`\n${formatTable(verdicts)}`)
  const faults = formatFaults(verdicts, choice.store)
  if (faults !== '') console.log(faults)
  exit(faults === '' ? 0 : 1)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`chaos: ${error.message} (--help says more)`)
  process.exitCode = 2
}
