/** Where a list goes on, as a text that means nothing to anybody else. */
export function encodeCursor(...place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** What `encodeCursor` was given; nothing for any other text. Callers choose cursors: look at what comes out. */
export function decodeCursor(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(place) ? place : []
  } catch {
    return [] // not one of ours
  }
}
