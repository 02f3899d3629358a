const quoted = '"(?:[^"\\\\]|\\\\.)*"'
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const wellFormed = new RegExp(`^[^;]*(?:;\\s*${token}=(?:${token}|${quoted})\\s*)*$`)

/**
 * Returns the media type of a `Content-Type` header in lower case and without parameters. A sloppy parameter section does no harm, but
 * several headers joined by a comma have no media type.
 */
export function mediaTypeEssence(header: string | null | undefined): string | undefined {
  if (!header) return undefined
  const [essence = '', ...parameters] = header.split(';')
  if (!wellFormed.test(header) && parameters.join(';').includes(',')) return undefined
  return essence.trim().toLowerCase() || undefined
}

/** Says whether a `Content-Type` header means `application/json`. */
export function isJsonContentType(header: string | null | undefined): boolean {
  return mediaTypeEssence(header) === 'application/json'
}
