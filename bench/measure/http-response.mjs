// The part of HTTP that the load generator needs: whole responses out of the chunks of a keep-alive socket.

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/**
 * Takes the bytes of one connection and gives each response as `{ status, head, body }`: the head as received, the body
 * as text. Knows `Content-Length` and chunks, which is what servers send; throws at anything else.
 */
export function createResponseReader(onResponse) {
  let rest = Buffer.alloc(0)
  let head
  let bodyLeft = 0
  let isChunked = false
  let pieces = []

  /** Cuts the rest after the next marker; undefined until it has arrived. */
  function readUntil(marker) {
    const end = rest.indexOf(marker)
    if (end === -1) return undefined
    const text = rest.latin1Slice(0, end)
    rest = rest.subarray(end + marker.length)
    return text
  }

  function readHead() {
    const text = readUntil(headEnd)
    if (text === undefined) return false
    head = text
    isChunked = /\r\ntransfer-encoding: *chunked/i.test(text)
    if (!isChunked) bodyLeft = lengthOf(text)
    return true
  }

  /** Moves what belongs to the body, or to the chunk, out of the rest; false until all of it is there. */
  function readBody() {
    const piece = rest.length <= bodyLeft ? rest : rest.subarray(0, bodyLeft)
    pieces.push(piece)
    bodyLeft -= piece.length
    rest = rest.subarray(piece.length)
    return bodyLeft === 0
  }

  /** A chunk at a time: its size, its bytes, a line end; the one of size 0 is the last. */
  let chunkStep = 'size'
  let isLastChunk = false
  function readChunks() {
    for (;;) {
      if (chunkStep === 'size') {
        const line = readUntil(lineEnd)
        if (line === undefined) return false
        bodyLeft = Number.parseInt(line, 16)
        isLastChunk = bodyLeft === 0
        chunkStep = isLastChunk ? 'end' : 'bytes'
      }
      if (chunkStep === 'bytes') {
        if (!readBody()) return false
        chunkStep = 'end'
      }
      if (readUntil(lineEnd) === undefined) return false
      chunkStep = 'size'
      if (isLastChunk) return true
    }
  }

  function finish() {
    const body = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)).toString()
    const response = { status: Number(head.slice(9, 12)), head, body }
    head = undefined
    pieces = []
    onResponse(response)
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (head !== undefined || rest.length > 0) {
      if (head === undefined && !readHead()) return
      if (!(isChunked ? readChunks() : readBody())) return
      finish()
    }
  }
}

function lengthOf(head) {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return Number(length)
  if (/^HTTP\/1\.1 (1\d\d|204|304)/.test(head)) return 0
  throw new Error(`a response without a length: ${head.slice(0, 300)}`)
}

/** The value of a header of a response. */
export function headerOf(head, name) {
  return new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1]
}

/** The one response message in a body: the body itself, or an event among those of a stream. */
export function messageIn({ head, body }) {
  if (!/\r\ncontent-type: *text\/event-stream/i.test(head)) return JSON.parse(body)
  for (const [, data] of body.matchAll(/^data: *(\S.*)$/gm)) {
    const message = JSON.parse(data)
    if (message.method === undefined) return message
  }
  throw new Error(`no answer in the event stream: ${body.slice(0, 300)}`)
}
