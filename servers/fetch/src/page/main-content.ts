import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

/** What a page is about, as markdown with its title; `undefined` if nothing is. */
export interface MainContent {
  readonly title?: string
  readonly markdown: string
}

/** Finds the main content of a page, and leaves what surrounds it. */
export function findMainContent(html: string): MainContent | undefined {
  const { document } = parseHTML(html)
  // Given on as a tree: to write it down and read it again would take as much memory once more.
  const article = new Readability<unknown>(document, { serializer: (node) => node }).parse()
  if (article?.content == null || article.textContent?.trim() === '') return undefined
  const writer = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  const markdown = writer.turndown(article.content as TurndownService.Node) // the element that `serializer` gave on
  const title = article.title?.trim()
  return { markdown, ...(title && { title }) }
}
