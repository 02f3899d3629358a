/** Where a list goes on, as a text that means nothing to anybody else. */
export function encodeCursor(...position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** What `encodeCursor` was given; nothing for any other text. Callers choose cursors: look at what comes out. */
export function decodeCursor(cursor: string): readonly unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(position) ? position : []
  } catch {
    return [] // not one of ours
  }
}
