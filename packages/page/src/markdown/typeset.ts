import { createElement, type ReactElement, type ReactNode } from 'react'
import temml from 'temml'

/** What a formula may be made of: nothing that loads, leads elsewhere or runs. */
const tags = new Set(
  'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose'.split(
    ' ',
  ),
)
const attributes = new Set(
  'display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace width height depth voffset columnspan rowspan columnalign accent accentunder largeop movablelimits symmetric minsize maxsize linethickness notation'.split(
    ' ',
  ),
)
const styles: Readonly<Record<string, string>> = {
  color: 'color',
  'padding-left': 'paddingLeft',
  'padding-right': 'paddingRight',
}
/** A model can write a formula that never ends. */
const limits = { maxExpand: 300, maxSize: [10, 40] as [number, number] }
const maxNodes = 5_000

/** Turns TeX into MathML; undefined for what is no formula. */
export function typeset(tex: string, isBlock: boolean): ReactElement | undefined {
  try {
    const options = { displayMode: isBlock, throwOnError: true, trust: false, ...limits }
    const budget = { left: maxNodes }
    const shown = toElement(renderTree(tex, options), budget, 0)
    return budget.left < 0 || typeof shown !== 'object' ? undefined : (shown as ReactElement) // `math` is an element
  } catch {
    return undefined // its source is shown
  }
}

/** The only function that gives a tree, for which the package has types under another name. */
const { ['__renderToMathMLTree']: renderTree } = temml as unknown as {
  readonly __renderToMathMLTree: (tex: string, options: object) => TreeNode
}

/** As the package makes them. */
interface TreeNode {
  readonly type?: string
  readonly text?: string
  readonly children?: readonly TreeNode[]
  readonly attributes?: { readonly [name: string]: unknown }
  readonly style?: { readonly [name: string]: unknown }
}

function toElement(node: TreeNode, budget: { left: number }, key: number): ReactNode {
  budget.left -= 1
  if (budget.left < 0) return undefined
  const { type, text, children = [] } = node
  if (type === undefined && text !== undefined) return text
  const inner = children.map((child, at) => toElement(child, budget, at))
  if (type === undefined || !tags.has(type)) return inner
  return createElement(type, { key, ...propertiesOf(node) }, ...inner)
}

function propertiesOf({ attributes: given = {}, style = {} }: TreeNode): object {
  const kept = Object.entries(given).filter(([name]) => attributes.has(name))
  const styled = Object.entries(style).flatMap(([name, value]) => {
    const known = styles[name]
    return known === undefined || !/^[#\w.%-]+$/.test(String(value)) ? [] : [[known, String(value)]]
  })
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    ...(styled.length > 0 && { style: Object.fromEntries(styled) as object }),
  }
}
