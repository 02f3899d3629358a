import { columns } from './columns.mjs'
import { figure, mark, sentence } from './figures.mjs'

/** The performance page: where it was measured, a summary, and every case. */
export function renderMarkdown({ machine, results }) {
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
    'turn. It checks its input by hand where the others use Zod, so importing Zod is part of their cold start. Servers are',
    'asked in revision 2025-06-18, the newest that all speak.',
    '',
    'Over HTTP every contestant runs on `node:http` as its documentation has it, with its defaults: the official SDK answers',
    'with an event stream, the others with plain JSON. The generator keeps its connections open, with one request in flight',
    'on each and a session for each where there are sessions. The memory of a session is what the heap and buffers grow by,',
    'garbage collected, with 5,000 idle ones; resident memory grows in steps and is shown beside it.',
    '',
    '| case | official v2 ÷ ours | budget | | ours ÷ floor | budget | |',
    '|---|---:|---:|---|---:|---:|---|',
    ...results
      .filter(({ verdicts }) => verdicts[0]?.claim === 'official v2 ÷ ours')
      .map(summaryRow),
    '',
    ...results.flatMap(caseSection),
  ].join('\n')
}

function machineList({ cpu, cores, load, system, node, versions, date }) {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `- ${date}, Node ${node}, ${system}`,
    `- ${cpu}, ${cores} cores, load average before the run ${load}`,
    `- ${packages.join(', ')}`,
  ]
}

function summaryRow({ name, title, verdicts: [faster, nearer] }) {
  const cells = [faster, nearer].map(
    ({ value, limit, bound, holds }) =>
      `${figure(value)} | ${bound === 'at least' ? '≥' : '≤'} ${limit} | ${mark(holds)}`,
  )
  return `| \`${name}\`: ${title} | ${cells.join(' | ')} |`
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
