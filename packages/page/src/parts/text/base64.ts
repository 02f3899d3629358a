/** The bytes that a server sent as text; undefined where it is no base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const rowLength = 16

/** Rows as a hex editor shows them: offset, bytes, and what of them can be read. */
export function hexRows(bytes: Uint8Array, limit: number): string {
  const rows: string[] = []
  for (let offset = 0; offset < Math.min(bytes.length, limit); offset += rowLength) {
    const row = [...bytes.subarray(offset, offset + rowLength)]
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row
      .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·'))
      .join('')
    rows.push(`${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(rowLength * 3 - 1)}  ${text}`)
  }
  return rows.join('\n')
}
