/** Types of files as skills have them, by the ending of their name. */
const types = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['ts', 'text/x-typescript'],
  ['py', 'text/x-python'],
  ['sh', 'text/x-shellscript'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
])

/** The type of a file by its name; undefined where the name does not tell. */
export function mediaTypeOf(name: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(name) ?? []
  return types.get(ending.toLowerCase())
}

/** The text of a file that is text: never what would come back as other bytes, and no pictures or archives. */
export function textOf(bytes: Uint8Array, mimeType: string | undefined): string | undefined {
  if (mimeType !== undefined && /^image\/(?!svg)|\/pdf$|\/zip$/.test(mimeType)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined // not text, and there is another way to say it
  }
}
