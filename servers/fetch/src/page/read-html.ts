import { Parser, type Handler } from 'htmlparser2'

/** So much is read before anybody looks whether to go on. */
const pieceLength = 4 * 1024

/** The parser looks through all open elements again and again, so there must not be many. */
export const maxOpen = 500

/** Reads a page piece by piece, until its end or until `isEnough`. No tree is made of it. */
export function readHtml(
  html: string,
  handler: Partial<Handler>,
  { isEnough = () => false, decodeEntities = true }: ReadHtmlOptions = {},
): void {
  const parser = new Parser(handler, { decodeEntities })
  for (let at = 0; at < html.length && !isEnough(); at += pieceLength) {
    parser.write(html.slice(at, at + pieceLength))
  }
  parser.end()
}

/** How a page is read. */
export interface ReadHtmlOptions {
  /** @defaultValue never */
  readonly isEnough?: (() => boolean) | undefined
  /** @defaultValue true */
  readonly decodeEntities?: boolean | undefined
}
