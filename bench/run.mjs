// npm run bench -- [CASE...] [--rounds N] [--quick] [--curves] [--json] [--write]
import { mkdir, writeFile } from 'node:fs/promises'

import { help, readArguments } from './arguments.mjs'
import { cases } from './cases.mjs'
import { curves as everyCurve } from './curves.mjs'
import { useOneCore } from './measure/one-core.mjs'
import { runCase } from './measure/run-case.mjs'
import { growthOf, runCurve } from './measure/run-curve.mjs'
import { measureReferenceServers, renderReferenceServer } from './reference-servers.mjs'
import { describeMachine } from './report/machine.mjs'
import { renderCases, renderMarkdown } from './report/markdown.mjs'
import { renderPlot } from './report/plot.mjs'
import { renderCurve, renderTerminal } from './report/terminal.mjs'
import { missingRivals } from './rivals.mjs'
import { classify } from './verdict.mjs'

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
try {
  await main(readArguments(process.argv.slice(2)))
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}

async function main({ help: wantsHelp, json, write, allCores, curves: onlyCurves, ...choice }) {
  if (wantsHelp) {
    console.log(help)
    return
  }
  const machine = { ...describeMachine(), isOneCore: !allCores && useOneCore() }
  const show = json ? () => {} : (text) => console.log(text)
  const results = onlyCurves ? [] : await measureCases(choice, show)
  const curves = onlyCurves || write ? await measureCurves(choice, show) : []
  const servers = choice.servers ? await measureServers(choice, show) : []
  if (json) console.log(JSON.stringify({ machine, results, curves, servers }, undefined, 2))
  if (write) await writePages({ machine, results, curves })
}

async function measureCases({ names, ...choice }, show) {
  const results = []
  for (const name of names) {
    const { title, kind, budget, finish = (rows) => rows } = cases[name]
    const onProgress = (text) => showProgress(`${name}  ${text}`)
    const rows = finish(await runCase(cases[name], { ...choice, onProgress }))
    showProgress('')
    const result = { name, title, kind, budget, rows, verdicts: classify(cases[name], rows) }
    results.push(result)
    show(renderTerminal(result))
    if (name === 'gateway-stdio-32' && missingRivals.length > 0) {
      show(
        `  not measured, since PARLEY_RIVALS names no folder with it: ${missingRivals.join(', ')}`,
      )
    }
  }
  return results
}

async function measureCurves({ rounds, quick }, show) {
  const results = []
  for (const [name, curve] of Object.entries(everyCurve)) {
    const onProgress = (text) => showProgress(`${name}  ${text}`)
    const lines = await runCurve(curve, { rounds: quick ? 1 : rounds, onProgress })
    showProgress('')
    const { title, axis, expects } = curve
    const growth = growthOf(lines[0].points)
    const result = { name, title, axis, expects, growth, lines }
    results.push(result)
    show(renderCurve(result))
  }
  return results
}

async function measureServers({ quick }, show) {
  const onResult = (result) => {
    showProgress('')
    show(renderReferenceServer(result))
  }
  return measureReferenceServers({ quick, onProgress: showProgress, onResult })
}

async function writePages(run) {
  const docs = new URL('../docs/', import.meta.url)
  await mkdir(new URL('performance/', docs), { recursive: true })
  await writeFile(new URL('internals/performance.md', docs), renderMarkdown(run))
  await writeFile(new URL('internals/performance-cases.md', docs), renderCases(run))
  for (const curve of run.curves) {
    await writeFile(new URL(`performance/${curve.name}.svg`, docs), renderPlot(curve))
  }
}

/** One line that overwrites itself, only where someone is looking. */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}
