import { safeText } from '@parley/foundation/terminal'
import type { ContentBlock, ResourceContents } from '@parley/mcp'

import type { Printer } from './printer.ts'

/** More of one line than anybody reads. */
const maxLineLength = 10_000

/** Shows blocks as text; pictures and sounds by what they are. */
export function printContent(blocks: readonly ContentBlock[], printer: Printer): void {
  for (const block of blocks) printer.line(describeBlock(block, printer))
}

function describeBlock(block: ContentBlock, { colors }: Printer): string {
  switch (block.type) {
    case 'text':
      return safeText(block.text, { lineLength: maxLineLength })
    case 'image':
    case 'audio':
      return colors.dim(`[${block.type} ${safeText(block.mimeType)} ${sizeOf(block.data)}]`)
    case 'resource_link':
      return `${colors.dim('[link]')} ${safeText(block.uri)} ${colors.dim(safeText(block.title ?? block.name))}`
    case 'resource':
      return describeContents(block.resource, colors.dim)
  }
}

/** Shows what was read. */
export function printContents(contents: readonly ResourceContents[], printer: Printer): void {
  for (const each of contents) {
    if (contents.length > 1) printer.line(printer.colors.bold(safeText(each.uri)))
    printer.line(describeContents(each, printer.colors.dim))
  }
}

function describeContents(contents: ResourceContents, dim: (text: string) => string): string {
  if ('text' in contents) return safeText(contents.text, { lineLength: maxLineLength })
  const { uri, mimeType = 'bytes', blob } = contents
  return dim(`[${safeText(mimeType)} ${sizeOf(blob)} ${safeText(uri)}]`)
}

/** Of the bytes that Base64 stands for. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`
}
