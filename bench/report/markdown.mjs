import { readFileSync } from 'node:fs'

import { columns } from './columns.mjs'
import { figure, mark, sentence } from './figures.mjs'
import { powers } from './terminal.mjs'

/** The performance page: where it was measured, a summary, and every case. */
export function renderMarkdown({ machine, results, curves }) {
  return [
    '# Performance',
    '',
    'Written by `npm run bench -- --write`; the ratios are what counts, the figures depend on the machine.',
    '',
    ...machineList(machine),
    '',
    'CPU time is user and system time of the measured process, warm-up excluded, median of interleaved rounds in new',
    'processes; the range is over the rounds. The load generator and the server that clients call are hand-written and the',
    'same for all. The floor is the smallest correct program by hand: split lines, parse, switch, stringify, one write per',
    'turn. It checks its input by hand where the others use Zod. Servers are asked in revision 2025-11-25, the newest that',
    'all speak, where a case names no other.',
    '',
    'The load generator and what it measures share one core, unless `--all-cores` is given. On two, whoever answers wakes',
    'the other, and to wake a core of a virtual machine costs more than most of what is measured here: a program in C that',
    'only echoes took 16 µs of system time for a message, and 3 on one core. A server that is slower than the generator pays',
    'that with every answer, a faster one never.',
    '',
    'The tools that are listed take 574 bytes each, as those of the reference servers do on average (576).',
    '',
    'Over HTTP every contestant runs on `node:http` as its documentation has it, with its defaults: the official SDK answers',
    'with an event stream, the others with plain JSON. The generator keeps its connections open, with one request in flight',
    'on each and a session for each where there are sessions. The memory of a session is what the heap and buffers grow by,',
    'garbage collected, with 5,000 idle ones; resident memory grows in steps and is shown beside it.',
    '',
    'Where a token is asked for, everyone accepts one that was verified before, with the guard of its own package. Our limit',
    'for a message is raised to 80 MiB, so that 64 MiB of text fit; what others refuse is listed with their words. Where',
    'there is no budget, figures are there to be compared.',
    '',
    '| case | official v2 ÷ ours | budget | | ours ÷ floor | budget | |',
    '|---|---:|---:|---|---:|---:|---|',
    ...results
      .filter(({ verdicts }) => verdicts[0]?.claim === 'official v2 ÷ ours')
      .map(summaryRow),
    '',
    ...notReached(),
    '## How cost grows',
    '',
    'Both axes are logarithmic: a level line is flat, one at 45° is linear. The power is taken over the upper half of each',
    'line, where fixed costs no longer hide it.',
    '',
    ...curves.flatMap(curveSection),
    ...results.flatMap(caseSection),
  ].join('\n')
}

/** What was found out about budgets that are missed, kept by hand beside the cases. */
function notReached() {
  const notes = readFileSync(new URL('../notes.md', import.meta.url), 'utf8')
  const [, section = ''] =
    /(^## What is not reached and why$[\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(notes) ?? []
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
      ? `${figure(value)} | | `
      : `${figure(value)} | ${bound === 'at least' ? '≥' : '≤'} ${limit} | ${mark(holds)}`,
  )
  return `| \`${name}\`: ${title} | ${cells.join(' | ')} |`
}

function curveSection({ name, title, axis, expects, growth }) {
  const power = `power ${growth.toFixed(2)} of ${axis}, ${powers[expects]} is ${expects}`
  return [`![${title}](performance/${name}.svg)`, '', `${title}: ${power}.`, '']
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
