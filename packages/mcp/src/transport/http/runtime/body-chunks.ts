/** So many small pieces are joined to one, which costs less memory than they do. */
const mostPieces = 256
const smallBytes = 4_096

/** A body as far as it has arrived. A stranger may send it byte by byte, each in an object of its own. */
export class BodyChunks {
  size = 0
  private chunks: Uint8Array[] = []
  private small = 0

  add(chunk: Uint8Array): void {
    this.size += chunk.length
    this.chunks.push(chunk)
    this.small = chunk.length < smallBytes ? this.small + 1 : 0
    if (this.small < mostPieces) return
    const pieces = this.chunks.splice(-this.small)
    this.chunks.push(join(pieces))
    this.small = 0
  }

  /** All of it. */
  take(): Uint8Array {
    const [only] = this.chunks
    const isOne = this.chunks.length === 1 && only !== undefined
    const bytes = isOne ? only : join(this.chunks)
    this.chunks = []
    return bytes
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
