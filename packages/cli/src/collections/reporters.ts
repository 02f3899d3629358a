import { safeText } from '@parley/foundation/terminal'

import { counted, type Printer } from '../output/printer.ts'
import type { TestedCollection, TestedRequest } from './tested.ts'

/** Tells how collections went; to people as it goes, to programs at the end. */
export interface Reporter {
  each?(tested: TestedCollection, printer: Printer): void
  end(all: readonly TestedCollection[], printer: Printer): void
}

export const reporterNames = ['text', 'tap', 'junit', 'json', 'github'] as const

export type ReporterName = (typeof reporterNames)[number]

export const reporters: { readonly [name in ReporterName]: Reporter } = {
  text: { each: showCollection, end: showCount },
  tap: { end: (all, printer) => printer.line(toTap(all)) },
  junit: { end: (all, printer) => printer.line(toJunit(all)) },
  json: {
    end: (all, printer) =>
      printer.json({
        collections: all.map(({ file, name, requests }) => ({ file, name, requests })),
        failed: failuresOf(all).length,
      }),
  },
  github: { each: annotate, end: showCount },
}

/** The requests that did not pass. */
export function failuresOf(all: readonly TestedCollection[]): readonly TestedRequest[] {
  return all.flatMap(({ requests }) => requests).filter(({ problems }) => problems.length > 0)
}

function showCollection({ name, requests }: TestedCollection, printer: Printer): void {
  const { colors } = printer
  printer.line(colors.bold(line(name)))
  for (const { title, durationMs, problems } of requests) {
    const mark = problems.length === 0 ? colors.green('✓') : colors.red('✗')
    printer.line(`  ${mark} ${line(title)} ${colors.dim(`${Math.round(durationMs)} ms`)}`)
    for (const problem of problems) printer.line(`      ${line(problem)}`)
  }
}

function showCount(all: readonly TestedCollection[], printer: Printer): void {
  const total = all.reduce((sum, { requests }) => sum + requests.length, 0)
  const failed = failuresOf(all).length
  printer.line(`${counted(total - failed, 'request')} passed, ${failed} failed`)
}

/** The format of the Test Anything Protocol, version 14. */
function toTap(all: readonly TestedCollection[]): string {
  const tests = all.flatMap(({ name, requests }) => requests.map((request) => ({ name, request })))
  const lines = tests.flatMap(({ name, request: { title, durationMs, problems } }, at) => {
    const testName = line(`${name}: ${title}`).replaceAll('#', '\\#')
    const first = `${problems.length === 0 ? 'ok' : 'not ok'} ${at + 1} - ${testName} # time=${Math.round(durationMs)}ms`
    if (problems.length === 0) return [first]
    return [
      first,
      '  ---',
      ...problems.map((problem) => `  - ${JSON.stringify(line(problem))}`),
      '  ...',
    ]
  })
  return ['TAP version 14', `1..${tests.length}`, ...lines].join('\n')
}

/** What most servers of continuous integration read. */
function toJunit(all: readonly TestedCollection[]): string {
  const suites = all.map(({ name, file, requests }) => {
    const cases = requests.map(({ title, method, durationMs, problems }) => {
      const about = `name="${xml(title)}" classname="${xml(`${name} ${method}`)}" time="${seconds(durationMs)}"`
      if (problems.length === 0) return `    <testcase ${about}/>`
      const failure = `<failure message="${xml(problems[0] ?? '')}">${xml(problems.join('\n'))}</failure>`
      return `    <testcase ${about}>${failure}</testcase>`
    })
    const failed = requests.filter(({ problems }) => problems.length > 0).length
    const sum = requests.reduce((total, { durationMs }) => total + durationMs, 0)
    const about = `name="${xml(name)}" file="${xml(file)}" tests="${requests.length}" failures="${failed}" time="${seconds(sum)}"`
    return [`  <testsuite ${about}>`, ...cases, '  </testsuite>'].join('\n')
  })
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return [head, '<testsuites>', ...suites, '</testsuites>'].join('\n')
}

/** Lines that GitHub puts beside the file. */
function annotate({ name, file, requests }: TestedCollection, printer: Printer): void {
  for (const { title, problems } of requests) {
    if (problems.length === 0) continue
    const about = `file=${property(file)},title=${property(`${name}: ${title}`)}`
    printer.line(
      `::error ${about}::${escaped(problems.map((problem) => line(problem)).join('\n'))}`,
    )
  }
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return escaped(line(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function xml(text: string): string {
  return line(text, true).replaceAll(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function line(text: string, multiline = false): string {
  return safeText(text, { multiline, lineLength: 1_000 })
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}
