import { safeText } from '@parley/foundation/terminal'

import { excerpt } from '../json.ts'
import type { Printer } from '../output/printer.ts'
import type { Finding } from './check.ts'

/** For people: what is broken, with how it was seen and what to do; the rest only if all is asked for. */
export function showFinding(
  { ids, level, rule, revision, verdict }: Finding,
  printer: Printer,
  all = false,
): void {
  const { colors } = printer
  const name = `${ids.join(', ')} (${shown(revision)})`
  switch (verdict.kind) {
    case 'kept':
      return all ? printer.line(`${colors.green('✓')} ${rule} ${colors.dim(name)}`) : undefined
    case 'skipped':
      return all ? printer.line(colors.dim(`– ${rule}: ${shown(verdict.why)} ${name}`)) : undefined
    case 'broken': {
      const mark = level === 'MUST' ? colors.red('✗') : colors.yellow('!')
      printer.line(`${mark} ${colors.bold(rule)} ${colors.dim(`${level} ${name}`)}`)
      printer.line(`  seen: ${shown(verdict.seen)}`)
      if (verdict.sent !== undefined)
        printer.line(colors.dim(`  sent: ${shown(excerpt(verdict.sent, 400))}`))
      if (verdict.got !== undefined)
        printer.line(colors.dim(`  got:  ${shown(excerpt(verdict.got, 400))}`))
      return printer.line(`  fix: ${shown(verdict.fix)}`)
    }
  }
}

function shown(text: string): string {
  return safeText(text, { multiline: false, lineLength: 500 })
}

/** How many of each. */
export function showSummary(all: readonly Finding[], printer: Printer): void {
  const count = (kind: Finding['verdict']['kind']) =>
    all.filter(({ verdict }) => verdict.kind === kind).length
  const supported = [...new Set(all.map(({ revision }) => revision))].join(' and ')
  printer.line(
    `${count('kept')} passed, ${count('broken')} failed, ${count('skipped')} not tried, in ${supported}`,
  )
}

/** For programs. What was sent and came may be as long as the server likes, so it is cut. */
export function findingForJson({ verdict, ...finding }: Finding): unknown {
  if (verdict.kind !== 'broken') return { ...finding, verdict }
  const { sent, got, ...rest } = verdict
  const bounded = { sent: boundedJson(sent), got: boundedJson(got) }
  return { ...finding, verdict: { ...rest, ...bounded } }
}

function boundedJson(value: unknown): unknown {
  const isLong = (JSON.stringify(value) ?? '').length > 4_000
  return isLong ? excerpt(value, 4_000) : value
}
