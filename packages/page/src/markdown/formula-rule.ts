import type MarkdownIt from 'markdown-it'

/** The parser: the package exports a function that makes one. */
type Parser = InstanceType<typeof MarkdownIt>

/** How a formula begins and ends, and whether it stands on lines of its own. */
const marks = [
  { open: '$$', close: '$$', isBlock: true },
  { open: '\\[', close: '\\]', isBlock: true },
  { open: '\\(', close: '\\)', isBlock: false },
  { open: '$', close: '$', isBlock: false },
] as const
/** Longer ones are text. */
const maxLength = 5_000

/** Reads `$x$`, `\(x\)`, `$$x$$` and `\[x\]` as formulas in TeX; amounts of money stay text. */
export function formulas(parser: Parser): void {
  parser.inline.ruler.before('escape', 'formula', (state, isSilent) => {
    const { src, pos } = state
    const mark = marks.find(({ open }) => src.startsWith(open, pos))
    if (mark === undefined) return false
    const from = pos + mark.open.length
    const to = src.indexOf(mark.close, from)
    if (to === -1 || to - from > maxLength) return false
    const tex = src.slice(from, to)
    if (tex.trim() === '' || (mark.open === '$' && !isFormula(tex, src[to + 1]))) return false
    if (!isSilent) {
      const token = state.push('formula', '', 0)
      token.content = tex.trim()
      token.block = mark.isBlock
    }
    state.pos = to + mark.close.length
    return true
  })
}

/** Between single dollars: no space inside of them, no letter or digit after them, on one line. `$5 and $10` has a space. */
function isFormula(tex: string, after = ''): boolean {
  return !/^\s|\s$|\n|`/.test(tex) && !/\w/.test(after)
}
