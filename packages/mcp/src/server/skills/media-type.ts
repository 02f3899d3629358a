/** Media types of common files in skills, by extension. */
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

/** The media type by the file name; undefined for an unknown extension. */
export function mediaTypeOf(name: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(name) ?? []
  return types.get(ending.toLowerCase())
}

/** The text of a file; undefined for images and archives, and for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array, mimeType: string | undefined): string | undefined {
  if (mimeType !== undefined && /^image\/(?!svg)|\/pdf$|\/zip$/.test(mimeType)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined // not UTF-8: served as bytes
  }
}
