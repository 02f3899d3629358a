import { readSettings, type SettingsFault } from '@parley/foundation/settings'

import { checkSettings } from '../check-settings.ts'
import { compilePolicyRule, type PolicyRule } from './policy.ts'

/** Reads `policy:`: a list of expressions, or of `{ name, server, tool, args, when, decision }`. Rules with mistakes are left out and noted. */
export function readPolicy(section: unknown): {
  readonly rules: readonly PolicyRule[]
  readonly problems: readonly SettingsFault[]
} {
  const problems: SettingsFault[] = []
  const given = readSettings(checkSettings.policy, section, ['policy'], problems)
  const names = new Set<string>()
  const rules = (given ?? []).flatMap((each, index) => {
    const own = `rule ${index + 1}`
    const rule: PolicyRule =
      typeof each === 'string' ? { name: own, when: each } : { name: own, ...each }
    const path = ['policy', index]
    const { name = own } = rule
    if (names.has(name)) {
      const message = `has the name of another rule: ${name}`
      problems.push({ path, message, fix: 'Give each rule a name of its own.' })
    }
    names.add(name)
    const compiled = compilePolicyRule(rule, index)
    if (compiled.ok) return [rule]
    const at = typeof each === 'string' ? path : [...path, compiled.at]
    const message = `the policy ${name} cannot be used: ${compiled.message}`
    problems.push({ path: at, message, fix: compiled.fix })
    return []
  })
  return { rules, problems }
}
