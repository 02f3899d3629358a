import type { ConversationVersion } from '../../src/store/conversation-store.ts'

/** The versions of a turn, oldest first, and which of them is shown. */
export interface TurnVersions {
  readonly ids: readonly string[]
  readonly shown: number
}

/**
 * Returns the versions of a turn of the conversation that is shown; undefined if there is only one.
 *
 * A version begins with a turn that replaces one of its parent. The turns before it are those of the parent.
 */
export function versionsOfTurn(
  versions: readonly ConversationVersion[],
  shownId: string,
  turn: number,
): TurnVersions | undefined {
  const byId = new Map(versions.map((version) => [version.id, version]))
  /** The conversation that the turn was written in first, and the one whose turn is shown. */
  function ownerOf(id: string): { first: string; shown: string } {
    let at = byId.get(id)
    while (at?.parent !== undefined && at.turn > turn) at = byId.get(at.parent)
    const shown = at?.id ?? id
    while (at?.parent !== undefined && at.turn >= turn) at = byId.get(at.parent)
    return { first: at?.id ?? id, shown }
  }
  const { first, shown } = ownerOf(shownId)
  const others = versions.filter(
    (version) =>
      version.turn === turn && version.id !== first && ownerOf(version.id).first === first,
  )
  const ids = [first, ...others.map(({ id }) => id)]
  return ids.length < 2 ? undefined : { ids, shown: ids.indexOf(shown) }
}
