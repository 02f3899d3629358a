import { decodeText } from '@parley/server-kit/fetch'

import { isPdf, readPdf } from './page/pdf.ts'
import type { SimplifiedPage } from './page/simplify.ts'

/** What was found behind a URL, as text. */
export interface Page {
  /** After redirects. */
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly kind: 'html' | 'pdf' | 'other'
  /** As it came, or what stands in a PDF. */
  readonly text: string
  /** The main content as markdown, worked out once; `undefined` if nothing is left. */
  simplified(): Promise<SimplifiedPage | undefined>
}

/** Reads what came from a host. */
export async function createPage(
  source: Pick<Page, 'url' | 'status' | 'contentType'>,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Page> {
  const { contentType } = source
  const hasPdf = isPdf(bytes, contentType)
  const text = hasPdf ? await readPdf(bytes, signal) : decodeText(bytes, contentType)
  const isHtml = text.slice(0, 100).includes('<html') || /text\/html|^$/.test(contentType)
  let simplified: Promise<SimplifiedPage | undefined> | undefined
  return {
    ...source,
    kind: hasPdf ? 'pdf' : isHtml ? 'html' : 'other',
    text,
    simplified: () => (simplified ??= simplify(text)),
  }
}

/** What reads pages is loaded when the first one comes. */
async function simplify(html: string): Promise<SimplifiedPage | undefined> {
  const { simplifyHtml } = await import('./page/simplify.ts')
  return simplifyHtml(html)
}

/** Text for a model, and what to say before it. */
export interface ReadablePage {
  readonly prefix: string
  readonly text: string
  readonly title?: string
}

/** Markdown where there is a page to simplify, else the text as it is. */
export async function readablePage(page: Page, isRaw: boolean): Promise<ReadablePage> {
  if (page.kind === 'pdf' && !isRaw) return { prefix: '', text: page.text }
  if (page.kind === 'html' && !isRaw) {
    const simplified = await page.simplified()
    if (simplified === undefined) {
      return { prefix: '', text: '<error>Page failed to be simplified from HTML</error>' }
    }
    const { markdown: text, title } = simplified
    return { prefix: '', text, ...(title !== undefined && { title }) }
  }
  const prefix = `Content type ${page.contentType} cannot be simplified to markdown, but here is the raw content:\n`
  return { prefix, text: page.text }
}
