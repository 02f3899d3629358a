/** The media type of a `Content-Type` header, lower case and without parameters. */
export function mediaTypeOf(header: string | undefined): string {
  return header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
