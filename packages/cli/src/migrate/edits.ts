/** Changes of a text by its positions. All else, blank lines and comments too, stays as it is. */
export interface Edits {
  readonly count: number
  /** A text that is made when all edits are known may use `render` for what it takes over. */
  replace(range: Range, text: string | (() => string)): void
  insert(at: number, text: string): void
  /** This part of the text, with its edits. */
  render(range: Range): string
}

/** From here to there. */
export interface Range {
  readonly start: number
  readonly end: number
}

interface Edit extends Range {
  readonly text: string | (() => string)
}

export function createEdits(text: string): Edits {
  const edits: Edit[] = []
  /** What was rendered by the text of the edit that is being made. */
  let rendered: Set<Edit> | undefined

  /** Inserts first, then the widest: what lies in another edit is up to that one. */
  const inside = ({ start, end }: Range) =>
    edits
      .filter((edit) => edit.start >= start && edit.end <= end)
      .toSorted((a, b) => a.start - b.start || insertsFirst(a, b) || b.end - a.end)

  return {
    get count() {
      return edits.length
    },
    replace: ({ start, end }, made) => void edits.push({ start, end, text: made }),
    insert: (at, made) => void edits.push({ start: at, end: at, text: made }),
    render(range) {
      const outer = rendered
      const own = new Set<Edit>()
      rendered = own
      let from = range.start
      let made = ''
      for (const edit of inside(range)) {
        // An insert at the end of a range that was taken over is in its text already.
        if (edit.start < from || own.has(edit)) continue
        own.add(edit)
        made += text.slice(from, edit.start)
        made += typeof edit.text === 'string' ? edit.text : edit.text()
        from = edit.end
      }
      rendered = outer
      for (const edit of own) outer?.add(edit)
      return made + text.slice(from, range.end)
    },
  }
}

function insertsFirst(a: Range, b: Range): number {
  return Number(b.start === b.end) - Number(a.start === a.end)
}
