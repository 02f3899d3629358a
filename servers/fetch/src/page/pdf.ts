import { ToolError } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'
import type { getDocumentProxy as getDocumentProxyType } from 'unpdf'

/** Pages and characters that are read of one document. */
const maxPages = 1_000
const maxLength = 5_000_000

/** Whether this is a PDF, by what it says or how it begins. */
export function isPdf(bytes: Uint8Array, contentType: string): boolean {
  if (/^application\/pdf\b/i.test(contentType)) return true
  return contentType === '' && new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'
}

/** The text of a PDF, page by page. What reads it is loaded when the first one comes. */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { getDocumentProxy } = await import('unpdf')
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }) // keeps what it is given
    const text = await readPages(pdf, signal)
    await pdf.destroy()
    return text
  } catch (error) {
    signal.throwIfAborted()
    const why = errorMessage(error)
    throw new ToolError(`It is a PDF that cannot be read: ${why}`, { cause: error })
  }
}

type Document = Awaited<ReturnType<typeof getDocumentProxyType>>

async function readPages(pdf: Document, signal: AbortSignal): Promise<string> {
  const pages: string[] = []
  let length = 0
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages); number += 1) {
    signal.throwIfAborted()
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const text = items.map((item) => ('str' in item ? lineOf(item) : '')).join('')
    pages.push(text.trim())
    length += text.length
    if (length > maxLength) break
  }
  return pages.join('\n\n')
}

function lineOf({ str, hasEOL }: { readonly str: string; readonly hasEOL: boolean }): string {
  return hasEOL ? `${str}\n` : str
}
