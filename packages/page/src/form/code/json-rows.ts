/** One line of a tree. */
export interface JsonRow {
  /** Where it is, as a pointer; the key of the line. */
  readonly pointer: string
  readonly depth: number
  readonly name: string | undefined
  readonly value: unknown
  /** How many members or items; undefined for a plain value. */
  readonly size: number | undefined
  readonly isOpen: boolean
  /** A line that stands for members left out. */
  readonly more?: { readonly parent: string; readonly hidden: number } | undefined
}

/** Which parts are open: those the user has turned, else the first levels. */
export interface JsonTreeState {
  readonly turned: ReadonlySet<string>
  readonly openDepth: number
  /** How many members of one parent are shown; by its pointer where the user asked for more. */
  readonly shown: ReadonlyMap<string, number>
}

const firstShown = 200
const maximumRows = 50_000
const maximumDepth = 200

/** The lines of the open parts of a value, capped in number and depth. */
export function listRows(value: unknown, state: JsonTreeState): readonly JsonRow[] {
  const rows: JsonRow[] = []
  const add = (name: string | undefined, part: unknown, pointer: string, depth: number) => {
    if (rows.length >= maximumRows) return
    const size = sizeOf(part)
    // What carries a message is not what it says.
    const isDefault = depth < state.openDepth && (size ?? 0) <= 100 && name !== '_meta'
    const isOpen = size !== undefined && size > 0 && isDefault !== state.turned.has(pointer)
    rows.push({ pointer, depth, name, value: part, size, isOpen })
    if (!isOpen || depth >= maximumDepth) return
    const most = state.shown.get(pointer) ?? firstShown
    for (const [key, inner] of firstMembers(part, most)) {
      add(key, inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1)
    }
    if (size > most) {
      const more = { parent: pointer, hidden: size - most }
      const base = { name: undefined, value: undefined, size: undefined, isOpen: false }
      rows.push({ ...base, pointer: `${pointer}#more`, depth: depth + 1, more })
    }
  }
  add(undefined, value, '', 0)
  return rows
}

/** How many levels can be open at first without filling more than a screen or two. */
export function pickDepth(value: unknown): number {
  const nothing: Omit<JsonTreeState, 'openDepth'> = { turned: new Set(), shown: new Map() }
  for (let openDepth = 2; openDepth < 8; openDepth++) {
    if (listRows(value, { ...nothing, openDepth: openDepth + 1 }).length > 60) return openDepth
  }
  return 8
}

/** Shows so many more members of a parent. */
export function showMore(
  shown: ReadonlyMap<string, number>,
  parent: string,
): ReadonlyMap<string, number> {
  return new Map([...shown, [parent, (shown.get(parent) ?? firstShown) + 1000]])
}

function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  return undefined
}

function firstMembers(value: unknown, most: number): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, most).map((item, index) => [`${index}`, item])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).slice(0, most)
}
