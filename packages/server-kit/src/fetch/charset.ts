/** Where a page may say which encoding it is in, as far as browsers look too. */
const searchedBytes = 1024

/** Text of a body: by its byte order mark, else by its content type, else by its `<meta>`, else UTF-8. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? declaredIn(bytes, contentType) ?? 'utf-8'
  return decoderFor(label).decode(bytes)
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
}

/** `<meta charset>`, its older form, and the declaration of XML. */
function declaredIn(bytes: Uint8Array, contentType: string): string | undefined {
  if (contentType !== '' && !/html|xml/i.test(contentType)) return undefined
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, searchedBytes))
  const found = /<meta\b[^>]{0,300}?\bcharset\s*=\s*["']?([\w:-]+)/i.exec(head)?.[1]
  const label = found ?? /^<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w:-]+)/i.exec(head)?.[1]
  // A page that could be read this far is not in it, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** An encoding nobody knows is taken for UTF-8, which shows wrong letters rather than nothing. */
function decoderFor(label: string) {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
