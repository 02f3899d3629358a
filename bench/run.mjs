// npm run bench -- [CASE...] [--rounds N] [--json] [--write]
import { writeFile } from 'node:fs/promises'

import { help, readArguments } from './arguments.mjs'
import { cases } from './cases.mjs'
import { runCase } from './measure/run-case.mjs'
import { describeMachine } from './report/machine.mjs'
import { renderMarkdown } from './report/markdown.mjs'
import { renderTerminal } from './report/terminal.mjs'
import { judge } from './verdict.mjs'

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
try {
  await main(readArguments(process.argv.slice(2)))
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}

async function main({ names, rounds, operations, only, json, write, help: wantsHelp }) {
  if (wantsHelp) {
    console.log(help)
    return
  }
  const machine = describeMachine()
  const results = []
  for (const name of names) {
    const { title, kind, budget } = cases[name]
    const rows = await runCase(cases[name], {
      rounds,
      operations,
      only,
      onProgress: (text) => showProgress(`${name}  ${text}`),
    })
    showProgress('')
    const result = { name, title, kind, budget, rows, verdicts: judge(cases[name], rows) }
    results.push(result)
    if (!json) console.log(renderTerminal(result))
  }
  if (json) console.log(JSON.stringify({ machine, results }, undefined, 2))
  if (write) {
    await writeFile(
      new URL('../docs/performance.md', import.meta.url),
      renderMarkdown({ machine, results }),
    )
  }
}

/** One line that overwrites itself, only where someone is looking. */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}
