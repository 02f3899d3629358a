import { listOf, recordOf, textOf } from '@parley/page/json'

/** What somebody saw who started a version. */
export interface Trust {
  /** Names of tools. */
  readonly tools: readonly string[]
  readonly hash: string
  readonly author: string
  readonly at: number | undefined
  /** The version before, where its tools are known. */
  readonly since: string | undefined
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** From an answer of `x/trust`. */
export function readTrust(value: unknown): Trust {
  const { snapshot, since, difference } = recordOf(value)
  const { tools, hash, author, at } = recordOf(snapshot)
  const { added, removed, changed } = recordOf(difference)
  const time = Date.parse(textOf(at) ?? '')
  return {
    tools: namesIn(tools),
    hash: textOf(hash) ?? '',
    author: textOf(author) ?? '',
    at: Number.isNaN(time) ? undefined : time,
    since: textOf(since),
    added: namesIn(added),
    removed: namesIn(removed),
    changed: namesIn(changed),
  }
}

/** Names, or objects that have one. */
function namesIn(value: unknown): readonly string[] {
  return listOf(value).flatMap((item) => textOf(item) ?? textOf(recordOf(item)['name']) ?? [])
}
