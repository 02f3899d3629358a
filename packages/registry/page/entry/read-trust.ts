import { listOf, recordOf, textOf } from '@parley/page/json'

/** A tool that somebody saw. */
export interface SeenTool {
  readonly name: string
  /** Its title, or its description. */
  readonly about: string | undefined
}

/** What somebody saw who started a version. */
export interface Trust {
  readonly tools: readonly SeenTool[]
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
    tools: listOf(tools).flatMap(readTool),
    hash: textOf(hash) ?? '',
    author: textOf(author) ?? '',
    at: Number.isNaN(time) ? undefined : time,
    since: textOf(since),
    added: namesIn(added),
    removed: namesIn(removed),
    changed: namesIn(changed),
  }
}

function readTool(value: unknown): readonly SeenTool[] {
  const { name, title, description } = recordOf(value)
  const text = textOf(name)
  return text === undefined ? [] : [{ name: text, about: textOf(description) ?? textOf(title) }]
}

/** Names, or objects that have one. */
function namesIn(value: unknown): readonly string[] {
  return listOf(value).flatMap((item) => textOf(item) ?? textOf(recordOf(item)['name']) ?? [])
}
