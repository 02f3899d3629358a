import { readFileSync } from 'node:fs'

import { columns } from './columns.mjs'
import { metric, mark, sentence } from './figures.mjs'
import { powers } from './terminal.mjs'

/** The page of every case. */
export function renderCases({ results }) {
  return [
    '# Performance of every case',
    '',
    'What each case of the benchmark measured, with its range. For the summary and how it is measured, see [performance](performance.md). `npm run bench -- --write` writes this page.',
    '',
    ...results.flatMap(caseSection),
  ].join('\n')
}

/** The performance page: a summary, and where and how it was measured. */
export function renderMarkdown({ machine, results, curves }) {
  return [
    '# Performance',
    '',
    'See what Parley costs in CPU time and memory, compared with the official SDK and with the smallest correct program written by',
    'hand (the floor). The ratios matter; the absolute figures depend on the machine. Every',
    'case with its range is on [a page of its own](performance-cases.md). `npm run bench -- --write` writes both.',
    '',
    '**official v2 ÷ ours** says how many times as much the official SDK needs: higher is better for us. **ours ÷ floor** says how',
    'many times as much we need as the floor: 1 would be perfect. A budget is what we want to keep; ✗ marks one that was missed.',
    '',
    '| case | official v2 ÷ ours | budget | | ours ÷ floor | budget | |',
    '|---|---:|---:|---|---:|---:|---|',
    ...results
      .filter(({ verdicts }) => verdicts[0]?.claim === 'official v2 ÷ ours')
      .map(summaryRow),
    '',
    '## How it is measured',
    '',
    ...machineList(machine),
    '',
    '- **CPU time** is user and system time of the measured process, without warm-up: the median of interleaved rounds in new',
    '  processes. The range is over the rounds.',
    '- **The floor** splits lines, parses, switches, stringifies, and writes once per turn. It checks its input by hand where the',
    '  others use Zod.',
    '- **The load generator** is hand-written and the same for all, and so is the server that clients call. It shares one core with',
    '  the measured process, unless you pass `--all-cores`, because waking another core costs more than most calls.',
    '- **Revision** 2025-11-25 is used unless a case names another; it is the newest that all contestants speak.',
    '- **Tools** in lists take 574 bytes each, as in the reference servers (576 on average).',
    '- **Over HTTP** every contestant runs on `node:http` with its defaults: the official SDK answers with an event stream, the others',
    '  with JSON. Connections stay open, with one request in flight on each, and one session each where there are sessions.',
    '- **Session memory** is the growth of heap and buffers with 5,000 idle sessions, after garbage collection.',
    '- **Tokens** are verified before the measurement, by the guard of each package.',
    '- **Once and per request:** schemas are made once by every contestant. Without sessions the official SDK makes a server and registers',
    '  its tools for each request, with sessions for each session, as its documentation has it; ours is defined once.',
    '- **Large messages:** our message limit is raised to 80 MiB for the cases with 64 MiB.',
    '',
    ...missedBudgets(),
    '## How cost grows',
    '',
    'Both axes are logarithmic: a horizontal line means constant cost, 45° means linear cost. The power is measured over the upper',
    'half of each line, where fixed costs no longer hide it.',
    '',
    ...curves.flatMap(curveSection),
  ].join('\n')
}

/** Why some budgets are missed, kept by hand beside the cases. */
function missedBudgets() {
  const notes = readFileSync(new URL('../notes.md', import.meta.url), 'utf8')
  const [, section = ''] = /(^## Missed budgets$[\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(notes) ?? []
  return section === '' ? [] : [...section.trimEnd().split('\n'), '']
}

function machineList({ cpu, cores, isOneCore, load, system, node, versions, date }) {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `- ${date}, Node ${node}, ${system}`,
    `- ${cpu}, ${cores} cores${isOneCore ? ', of which one is used' : ''}, load average before the run ${load}`,
    `- ${packages.join(', ')}`,
  ]
}

function summaryRow({ name, title, verdicts: [faster, nearer] }) {
  const cells = [faster, nearer].map(({ value, limit, bound, holds }) =>
    limit === undefined
      ? `${metric(value)} | | `
      : `${metric(value)} | ${bound === 'at least' ? '≥' : '≤'} ${limit} | ${mark(holds)}`,
  )
  return `| \`${name}\`: ${title} | ${cells.join(' | ')} |`
}

function curveSection({ name, title, axis, expects, growth }) {
  const power = `power ${growth.toFixed(2)} of ${axis}, ${powers[expects]} is ${expects}`
  return [`![${title}](../performance/${name}.svg)`, '', `${title}: ${power}.`, '']
}

function caseSection({ name, title, kind, rows, verdicts }) {
  const shown = columns[kind]
  return [
    `## ${name}`,
    '',
    `Measured: ${title}. ${verdicts.map(sentence).join('; ')}.`,
    '',
    `| | ${shown.map(({ head }) => head).join(' | ')} |`,
    `|---|${'---:|'.repeat(shown.length)}`,
    ...rows.map((row) =>
      row.failure === undefined
        ? `| ${row.title} | ${shown.map(({ cell }) => cell(row)).join(' | ')} |`
        : `| ${row.title} | ${row.failure.split('\n')[0]} |${' |'.repeat(shown.length - 1)}`,
    ),
    '',
  ]
}
