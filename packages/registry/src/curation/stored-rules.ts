import type { Queries } from '../storage/tables.ts'
import { compileRules, type CurationRule, type Rules } from './rules.ts'

/** Rules of one registry. */
export const maxRules = 10_000

/** All rules, the newest first. */
export async function readRules(queries: Queries): Promise<readonly CurationRule[]> {
  const rows = await queries
    .selectFrom('registry_rules')
    .select(['kind', 'pattern', 'value', 'reason', 'author', 'at'])
    .orderBy('id', 'desc')
    .limit(maxRules)
    .execute()
  return rows.map(({ value, ...rule }) => ({ ...rule, ...(value !== null && { value }) }))
}

/** Inside a transaction: what is decided meanwhile comes after it. */
export async function loadRules(queries: Queries): Promise<Rules> {
  return compileRules(await readRules(queries))
}
