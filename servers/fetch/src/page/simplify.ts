import { flowMarkdown } from './flow-markdown.ts'
import { findMainContent, type MainContent } from './main-content.ts'
import { pruneHtml, type TreeLimits } from './prune-html.ts'

/** A page as markdown. */
export interface SimplifiedPage {
  readonly title?: string
  readonly markdown: string
  /** The main content, or everything because the page is too large to look for it. */
  readonly extent: 'main' | 'all'
}

/** A tree takes two or three kilobytes for each node while it is worked on. */
const treeLimits: TreeLimits = { maxNodes: 12_000, maxLength: 1_000_000, maxDepth: 100 }

/** Markdown of a page within bounded memory; `undefined` if there is nothing to read in it. */
export function simplifyHtml(html: string): SimplifiedPage | undefined {
  const pruned = pruneHtml(html, treeLimits)
  const main = pruned === undefined ? 'unknown' : tryMainContent(pruned)
  if (main === undefined) return undefined
  const page = main === 'unknown' ? flowMarkdown(html) : main
  if (page.markdown.trim() === '') return undefined
  return { ...page, extent: main === 'unknown' ? 'all' : 'main' }
}

/** A page that is built too strangely for its main content to be found still has its text. */
function tryMainContent(html: string): MainContent | undefined | 'unknown' {
  try {
    return findMainContent(html)
  } catch {
    return 'unknown'
  }
}
