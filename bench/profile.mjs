// node bench/profile.mjs CASE [CONTESTANT [OPERATIONS]]: where one round spends its CPU time, by function.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { cases } from './cases.mjs'
import { contestants } from './contestants.mjs'
import { useOneCore } from './measure/one-core.mjs'

const [caseName, contestantName = 'parley', operations = '100000'] = process.argv.slice(2)
const subject = cases[caseName]
const known = subject?.contestants ?? contestants
const contestant = known.find(({ name }) => name === contestantName)
if (subject?.measure === undefined || contestant === undefined) {
  console.error('Usage: node bench/profile.mjs CASE [CONTESTANT [OPERATIONS]]')
  process.exit(2)
}

useOneCore()
const directory = await mkdtemp(join(tmpdir(), 'parley-profile-'))
try {
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${directory}`, '--cpu-prof-interval=200']
  const { cpuMicros } = await subject.measure(contestant, {
    operations: Number(operations),
    nodeArgs,
  })
  console.log(`${contestant.title}, ${caseName}: ${cpuMicros.toFixed(2)} µs/op while profiled\n`)
  for (const file of await readdir(directory)) {
    printProfile(JSON.parse(await readFile(join(directory, file), 'utf8')))
  }
} finally {
  await rm(directory, { recursive: true })
}

/** Self time by function and by file, without the time in which nothing ran. */
function printProfile({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const functions = new Map()
  const files = new Map()
  let total = 0
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = byId.get(id)
    if (functionName === '(idle)') return
    const micros = timeDeltas[index]
    const name = functionName || '(anonymous)'
    const file = url === '' ? name : url.split('/').slice(-3).join('/')
    add(functions, url === '' ? name : `${name} ${file}:${lineNumber + 1}`, micros)
    add(files, file, micros)
    total += micros
  })
  printRanked(functions, total)
  console.log('\nby file, what has none by its own name:\n')
  printRanked(files, total)
}

function add(times, key, micros) {
  times.set(key, (times.get(key) ?? 0) + micros)
}

function printRanked(times, total) {
  const ranked = [...times].toSorted(([, left], [, right]) => right - left).slice(0, 30)
  for (const [key, time] of ranked) {
    console.log(`${((time / total) * 100).toFixed(1).padStart(5)} %  ${key}`)
  }
}
