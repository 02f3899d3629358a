import { tick } from '../storage/clock.ts'
import type { StoredEntry } from '../storage/entry.ts'
import { findVersions } from '../storage/find-entries.ts'
import { latestOf, moveLatest } from '../storage/latest.ts'
import { lockKeys } from '../storage/remote-urls.ts'
import type { RegistryDatabase, Writing } from '../storage/tables.ts'
import { write } from '../storage/write.ts'
import type { Rules } from './rules.ts'
import { loadRules } from './stored-rules.ts'

/** Names from one on, and before another. */
interface NameRange {
  readonly from: string
  readonly to: string
}

/** Names of one transaction. */
const namesAtOnce = 100
const pendingKey = 'rules pending'

/** Says, in the transaction that changes a rule, that versions do not follow it yet. */
export async function markPending(writing: Writing): Promise<void> {
  await writing
    .insertInto('registry_settings')
    .values({ key: pendingKey, value: '1' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Goes on with what an earlier process did not finish. */
export async function applyPendingRules(
  database: RegistryDatabase,
  now: () => number,
): Promise<void> {
  const pending = await database.queries
    .selectFrom('registry_settings')
    .select('key')
    .where('key', '=', pendingKey)
    .executeTakeFirst()
  if (pending !== undefined) await applyRules(database, now)
}

/**
 * Makes all versions follow the rules as they are now, also those published long before: some names at a time, so that
 * others are answered meanwhile. Resolves with how many versions have changed.
 */
export async function applyRules(
  database: RegistryDatabase,
  now: () => number,
  scope: NameRange = { from: '', to: '\u{10ffff}' },
): Promise<number> {
  let after = ''
  let changed = 0
  for (;;) {
    const names = await namesAfter(database, after, scope)
    const last = names.at(-1)
    if (last === undefined) break
    changed += await write(database, async (writing) => {
      await database.flavour.lock(
        writing,
        names.flatMap((name) => lockKeys(name, [])),
      )
      const rules = await loadRules(writing)
      let count = 0
      for (const name of names) count += await applyToName(database, writing, name, rules, now)
      return count
    })
    after = last
  }
  await database.queries.deleteFrom('registry_settings').where('key', '=', pendingKey).execute()
  return changed
}

async function namesAfter(
  { queries }: RegistryDatabase,
  after: string,
  { from, to }: NameRange,
): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('server_versions')
    .select('name')
    .where('name', '>', after)
    .where('name', '>=', from)
    .where('name', '<', to)
    .groupBy('name')
    .orderBy('name')
    .limit(namesAtOnce)
    .execute()
  return rows.map(({ name }) => name)
}

async function applyToName(
  { flavour }: RegistryDatabase,
  writing: Writing,
  name: string,
  rules: Rules,
  now: () => number,
): Promise<number> {
  const entries = await findVersions(writing, name, true)
  const changing = entries.flatMap((entry) => {
    const { hidden, reason: hiddenReason, overlay } = rules.classify(name, entry.version)
    const isSame =
      entry.hidden === hidden &&
      entry.hiddenReason === (hidden === 1 ? hiddenReason : undefined) &&
      entry.overlay === overlay
    const next = {
      ...entry,
      hidden,
      hiddenReason: hidden === 1 ? hiddenReason : undefined,
      overlay,
    }
    return isSame ? [] : [next satisfies StoredEntry]
  })
  const pin = rules.pinOf(name)
  const after = entries.map((entry) => changing.find(({ id }) => id === entry.id) ?? entry)
  const flagged = entries.find(({ isLatest }) => isLatest)
  const isMoving = latestOf(after, pin)?.id !== flagged?.id
  if (changing.length === 0 && !isMoving) return 0
  const { first, at: updatedAt } = await tick(writing, changing.length + 2, now())
  let sequence = first
  for (const { id, hidden, hiddenReason, overlay } of changing) {
    await writing
      .updateTable('server_versions')
      .set({
        hidden,
        hidden_reason: hiddenReason ?? null,
        overlay: overlay ?? null,
        updated_at: updatedAt,
        sequence,
      })
      .where('id', '=', id)
      .execute()
    sequence += 1
  }
  await moveLatest(writing, flavour, {
    entries: after,
    pin,
    at: updatedAt,
    nextSequence: () => sequence++,
  })
  return changing.length + (isMoving && changing.length === 0 ? 1 : 0)
}
