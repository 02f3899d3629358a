import { parseArgs } from 'node:util'

import { cases } from './cases.mjs'
import { contestants } from './contestants.mjs'

/** Words that mean several cases. */
const groups = ['cluster', 'gateway', 'host']

/** What `--help` prints. */
export const help = `Usage: npm run bench -- [CASE...] [options]

Measures Parley beside the official SDK and a hand-written floor, in interleaved rounds.

Cases (all when none is named):
${Object.entries(cases)
  .map(([name, { title }]) => `  ${name.padEnd(23)}${title}`)
  .join('\n')}
  ${'cluster, gateway, host'.padEnd(23)}all whose names begin with it
  ${'servers'.padEnd(23)}the filesystem and fetch servers with much to do, the official one beside

Options:
  --rounds N         rounds for each case, instead of its own number (3 to 10)
  --operations N     operations in a round, for a quick look
  --quick            two rounds with a fifth of the operations: a rough idea in a few minutes
  --curves           cost against message size, tools, sessions and concurrency, instead of the cases
  --only NAME,NAME   contestants: ${contestants.map(({ name }) => name).join(', ')}
  --all-cores        do not keep the measured process and its load on one core
  --json             print the figures as JSON
  --write            write docs/internals/performance*.md and their plots; measures everything
  --help             print this
`

/** The command line as data. Throws with a sentence for the user when something does not fit. */
export function readArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      operations: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      curves: { type: 'boolean', default: false },
      'all-cores': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const only = values.only?.split(',')
  requireKnown(positionals, [...Object.keys(cases), ...groups, 'servers'], 'case')
  requireKnown(
    only ?? [],
    contestants.map(({ name }) => name),
    'contestant',
  )
  const { quick, curves } = values
  const isAll = positionals.length === 0
  const isPartial =
    positionals.length > 0 ||
    only !== undefined ||
    values.operations !== undefined ||
    quick ||
    curves
  if (values.write && isPartial) throw new Error('--write measures everything: name no part of it')
  return {
    names: isAll ? Object.keys(cases) : positionals.flatMap(casesOf),
    servers: positionals.includes('servers') || (isAll && only === undefined && !curves),
    rounds: positiveInteger(values.rounds, '--rounds') ?? (quick ? 2 : undefined),
    operations: positiveInteger(values.operations, '--operations'),
    only,
    quick,
    curves,
    allCores: values['all-cores'],
    json: values.json,
    write: values.write,
    help: values.help,
  }
}

/** The cases that a word of the command line means. */
function casesOf(word) {
  if (word === 'servers') return []
  return groups.includes(word)
    ? Object.keys(cases).filter((name) => name.startsWith(`${word}-`))
    : [word]
}

function requireKnown(names, known, what) {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Error(`unknown ${what} '${unknown}'; there are ${known.join(', ')}`)
}

function positiveInteger(text, option) {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option} takes a positive integer`)
  return value
}
