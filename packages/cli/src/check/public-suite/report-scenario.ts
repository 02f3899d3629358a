import { safeText } from '@parley/foundation/terminal'

import type { Printer } from '../../output/printer.ts'
import type { BrokenCheck, Scenario } from './scenario.ts'

/** For people: what failed and how that was seen; the rest only if all is asked for. */
export function showScenario(scenario: Scenario, printer: Printer, all = false): void {
  const { colors } = printer
  const { verdict, revision } = scenario
  const name = safeText(scenario.scenario, { multiline: false })
  switch (verdict.kind) {
    case 'kept':
      return all
        ? printer.line(`${colors.green('✓')} ${name} ${colors.dim(`(${revision})`)}`)
        : undefined
    case 'skipped':
      return all
        ? printer.line(colors.dim(`– ${name} (${revision}): ${shown(verdict.why)}`))
        : undefined
    case 'broken': {
      const mark = isCounted(scenario) ? colors.red('✗') : colors.yellow('!')
      const why = scenario.isRequired ? '' : ', not required'
      printer.line(`${mark} ${colors.bold(name)} ${colors.dim(`(${revision}${why})`)}`)
      for (const check of verdict.broken) showCheck(check, printer)
    }
  }
}

function showCheck({ id, level, rule, seen, reference }: BrokenCheck, printer: Printer): void {
  const { colors } = printer
  printer.line(`  ${shown(rule)} ${colors.dim(`${level} ${shown(id)}`)}`)
  printer.line(`  seen: ${shown(seen)}`)
  if (reference !== undefined) printer.line(colors.dim(`  see:  ${shown(reference)}`))
}

function shown(text: string): string {
  return safeText(text, { multiline: false, lineLength: 500 })
}

/** Whether it makes the command fail: what is required, and is more than advice; with strictness everything. */
export function isCounted({ isRequired, verdict }: Scenario, isStrict = false): boolean {
  if (verdict.kind !== 'broken') return false
  return isStrict || (isRequired && verdict.broken.some(({ level }) => level === 'MUST'))
}

/** How many of each, and why so many were not tried. */
export function showSuiteSummary(all: readonly Scenario[], printer: Printer, isAll = false): void {
  const count = (kind: Scenario['verdict']['kind']) =>
    all.filter(({ verdict }) => verdict.kind === kind).length
  const spoken = [...new Set(all.map(({ revision }) => revision))].join(' and ')
  const skipped = count('skipped')
  printer.line(
    `${count('kept')} passed, ${count('broken')} failed, ${skipped} not tried, in ${spoken}`,
  )
  if (skipped === 0 || isAll) return
  printer.note(
    skipped < 5
      ? '--all shows why something was not tried.'
      : 'Most scenarios need tools, prompts and resources that only a server made for the suite has: --all lists them.',
  )
}
