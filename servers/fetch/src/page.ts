import { decodeText } from '@parley/server-kit/fetch'

import { isPdf } from './page/pdf.ts'
import type { SimplifiedPage } from './page/simplify.ts'
import type { PageTasks, TaskName } from './task/page-tasks.ts'

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
  simplified(read: Read): Promise<SimplifiedPage | undefined>
}

/** Works on what a stranger sent, for as long as the call may take. */
export type Read = <Name extends TaskName>(
  name: Name,
  input: PageTasks[Name]['input'],
) => Promise<PageTasks[Name]['output']>

/** Reads what came from a host. */
export async function createPage(
  source: Pick<Page, 'url' | 'status' | 'contentType'>,
  bytes: Uint8Array,
  read: Read,
): Promise<Page> {
  const { contentType } = source
  const hasPdf = isPdf(bytes, contentType)
  const text = hasPdf ? await read('readPdf', bytes) : decodeText(bytes, contentType)
  const isHtml = text.slice(0, 100).includes('<html') || /text\/html|^$/.test(contentType)
  let simplified: { readonly page: SimplifiedPage | undefined } | undefined
  return {
    ...source,
    kind: hasPdf ? 'pdf' : isHtml ? 'html' : 'other',
    text,
    async simplified(readNow) {
      simplified ??= { page: await readNow('simplify', text) }
      return simplified.page
    },
  }
}

/** Text for a model, and what to say before it. */
export interface ReadablePage extends Pick<Page, 'url' | 'status' | 'contentType'> {
  readonly prefix: string
  readonly text: string
  readonly title?: string
}

/** Markdown where there is a page to simplify, else the text as it is. */
export async function readablePage(page: Page, isRaw: boolean, read: Read): Promise<ReadablePage> {
  const { url, status, contentType, kind, text } = page
  const plain = { url, status, contentType, prefix: '', text }
  if (kind === 'pdf' && !isRaw) return plain
  if (kind === 'html' && !isRaw) {
    const simplified = await page.simplified(read)
    if (simplified === undefined) {
      return { ...plain, text: '<error>Page failed to be simplified from HTML</error>' }
    }
    const { markdown, title } = simplified
    return { ...plain, text: markdown, ...(title !== undefined && { title }) }
  }
  const prefix = `Content type ${contentType} cannot be simplified to markdown, but here is the raw content:\n`
  return { ...plain, prefix }
}
